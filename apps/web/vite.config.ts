import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Address of the server for `npm run dev`. The page keeps its public address, to which sign-in returns.
const server = { target: process.env['CADMUS_DEV_API'] ?? 'http://localhost:4000', changeOrigin: false }

// Few chunks, because each request costs more than its bytes: stable third-party code, the first screen, the documents,
// the home screen, the live problems of the status bar, and the code loaded on demand. A group includes dependencies of its modules
// unless a group above has them.
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
  { name: 'sheet', test: /src[\\/]features[\\/]entity[\\/]AttributeSheet\.tsx$/, priority: 2 },
  { name: 'text', test: /src[\\/]text[\\/]TextPane\.tsx$/, priority: 2 },
  { name: 'home', test: /src[\\/]features[\\/]home[\\/]HomeScreen\.tsx$/, priority: 1 },
  {
    name: 'publish-again',
    test: /src[\\/]features[\\/]blueprint[\\/](PublishAgain|PublishVerdict)\.tsx$/,
    priority: 1,
  },
  { name: 'problems', test: /src[\\/]problems[\\/]Problem(Status|sPane)\.tsx$/, priority: 1 },
  { name: 'dialogs', test: /src[\\/](features|ui)[\\/]|node_modules/, priority: 0 },
]

/** Compiles the first chunks eagerly on a background thread while they load, instead of lazily per function. */
const eagerCompilation: Plugin = {
  name: 'compiled-ahead',
  generateBundle: {
    // The browser reads the hint from the first line only: add it last.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !['vendor', 'workspace'].includes(file.name)) continue
        file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      }
    },
  },
}

/**
 * Preloads the font with the scripts. Without it the browser finds the font in the styles, and it arrives after the
 * first paint and causes a second layout.
 */
const preloadedFont: Plugin = {
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
  plugins: [react(), preloadedFont, eagerCompilation],
  build: {
    target: 'es2023',
    // The colours use light-dark(): older targets would get large fallbacks.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The Content-Security-Policy allows scripts, styles and fonts only from files of this site.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    port: 4001,
    strictPort: true,
    // /sso/login and /sso/logout are pages; all other server routes are below these paths.
    proxy: { '/1.0': server, '/api/': server, '/oidc': server, '/openapi.json': server, '/api-reference': server },
  },
})
