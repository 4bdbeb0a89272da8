import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `npm run dev` says where the server is. The page's address stays the public one: sign-in returns to it.
const server = { target: process.env['CADMUS_DEV_API'] ?? 'http://localhost:4000', changeOrigin: false }

// Parts that change seldom get files of their own, so that a new release leaves them in the browser's cache.
const vendors = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
  { name: 'tanstack', test: /node_modules[\\/]@tanstack[\\/]/, priority: 2 },
  { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 2 },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2023',
    // The colours are light-dark() pairs: older targets would get a long detour.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Content-Security-Policy allows scripts, styles and fonts from files of this site only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: { output: { codeSplitting: { groups: vendors } } },
  },
  server: {
    port: 4001,
    strictPort: true,
    // /sso/login and /sso/logout are pages; everything the server answers is below these.
    proxy: { '/1.0': server, '/api/': server, '/oidc': server, '/openapi.json': server, '/api-reference': server },
  },
})
