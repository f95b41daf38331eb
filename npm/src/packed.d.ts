declare module "packed:*" {
  /** A module, packed and in base64. The build inserts it. */
  const packed: { readonly size: number; readonly data: string };
  export default packed;
}
