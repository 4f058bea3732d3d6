import { defineConfig } from 'tsdown'

/** One file per entry, so that the command starts quickly. Its two libraries are installed beside it. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  fixedExtension: false,
  inputOptions: { resolve: { conditionNames: ['burgee-source', 'import', 'node', 'default'] } },
  deps: { alwaysBundle: [/^@burgee\//, /^typebox/] },
})
