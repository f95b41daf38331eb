declare module "packed-modules" {
  /** The modules, compressed and in base64. The build inserts them. */
  const packed: Record<"simd128" | "scalar", { readonly size: number; readonly data: string }>;
  export default packed;
}
