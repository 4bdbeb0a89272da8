import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// `npm run dev` says where the server is. The page's address stays the public one: sign-in returns to it.
const server = { target: process.env['CADMUS_DEV_API'] ?? 'http://localhost:4000', changeOrigin: false }

// Few files, because each costs the browser more than its bytes: what others wrote and changes seldom, the first screen, the
// documents, and everything that is opened on the way. A group takes what its modules need along, unless a group above has it.
const groups = [
  {
    name: 'codemirror',
    test: /node_modules[\\/](@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)/,
    priority: 4,
  },
  { name: 'code-editor', test: /src[\\/].*[\\/](code-editor\.ts|CodeEditor\.tsx)$/, priority: 3 },
  { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|zustand)[\\/]/, priority: 4 },
  { name: 'workspace', test: /src[\\/](main|workspace)\.tsx$/, priority: 3 },
  { name: 'drag', test: /atlaskit|tree-drag/, priority: 3 },
  { name: 'documents', test: /src[\\/]features[\\/]\w+[\\/]\w+(Document|Properties)\.tsx$/, priority: 2 },
  { name: 'dialogs', test: /src[\\/](features|ui)[\\/]|node_modules/, priority: 1 },
]

/** What runs at once is compiled off the page's thread while it arrives, and not function by function when each is called first. */
const compiledAhead: Plugin = {
  name: 'compiled-ahead',
  generateBundle: {
    // The browser looks for it in the first line only, which is written last.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !['vendor', 'workspace'].includes(file.name)) continue
        file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      }
    },
  },
}

/** The font is asked for with the scripts: found in the styles it comes after the first paint, and all is laid out twice. */
const fontAhead: Plugin = {
  name: 'font-ahead',
  transformIndexHtml: (_html, { bundle }) =>
    Object.keys(bundle ?? {})
      .filter(file => file.endsWith('.woff2'))
      .map(file => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
        injectTo: 'head' as const,
      })),
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), fontAhead, compiledAhead],
  build: {
    target: 'es2023',
    // The colours are light-dark() pairs: older targets would get a long detour.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Content-Security-Policy allows scripts, styles and fonts from files of this site only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    port: 4001,
    strictPort: true,
    // /sso/login and /sso/logout are pages; everything the server answers is below these.
    proxy: { '/1.0': server, '/api/': server, '/oidc': server, '/openapi.json': server, '/api-reference': server },
  },
})
