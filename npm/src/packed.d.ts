declare module "packed-modules" {
  /** The modules, packed and in base64; the build fills them in. */
  const packed: Record<"simd128" | "scalar", { readonly size: number; readonly data: string }>;
  export default packed;
}
