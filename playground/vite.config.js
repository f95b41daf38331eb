import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // The package has a copy of three.js of its own, for its tests.
  resolve: { dedupe: ["three"] },
  build: { target: "es2022", outDir: "dist/page", emptyOutDir: true, chunkSizeWarningLimit: 2500 },
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
});
