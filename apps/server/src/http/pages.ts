import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopbackName } from '@cadmus/model/own-host'
import { bearerToken, isBootstrapToken } from '../auth/bearer.ts'
import type { Context } from '../context.ts'
import { ApiError, forbidden, notFound, unavailable } from '../errors/api-error.ts'

/** Path prefixes that are never a screen; unknown paths below them return an error and not the page. */
const nonScreenPrefixes = ['/1.0/', '/api/', '/oidc/', '/assets/', '/health', '/ready', '/metrics']

/** Serves the built web page: its files, and the start page for the addresses of screens. */
export async function servePages(app: FastifyInstance, context: Context): Promise<void> {
  redirectToPublicHost(app, context)
  const root = context.config.webDir
  const built = existsSync(join(root, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root,
      cacheControl: false,
      // Hidden files are never part of the build.
      dotfiles: 'ignore',
      setHeaders(reply, path) {
        const hashed = path.includes(`${sep}assets${sep}`)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  // Rejects before the body is received.
  app.addHook('onRequest', async request => {
    if (request.is404 && !isScreen(request)) throw notFound()
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (!isScreen(request)) throw notFound()
    if (built) return reply.sendFile('index.html')
    return reply.status(503).type('text/plain; charset=utf-8').send('The page is not built. Run: npm run build\n')
  })
}

/** Redirects other loopback names to the public one, because cookies and sign-in are bound to one name. */
function redirectToPublicHost(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async (request, reply) => {
    const { publicUrl } = context
    if (request.headers.host === publicUrl.host || !isScreen(request)) return
    // Concatenated as text: resolved as a URL, //name would lead to another host.
    await reply.redirect(`${publicUrl.origin}${request.url}`, 307)
  })
}

function isScreen(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?')[0] ?? '/'
  if (nonScreenPrefixes.some(prefix => path === prefix || path.startsWith(prefix))) return false
  return (request.headers.accept ?? '').includes('text/html')
}

/** Probes for operators: liveness, readiness and metrics. */
export function serveProbes(app: FastifyInstance, context: Context): void {
  app.get('/health', async () => ({ status: 'up' }))
  app.get('/ready', async () => {
    try {
      await context.store.check()
    } catch (error) {
      throw error instanceof ApiError ? error : unavailable('The store cannot be reached.', error)
    }
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(context, request))
      throw forbidden('Metrics require a request from this machine or the bootstrap token.')
    return reply.type(context.metrics.contentType).send(await context.metrics.text())
  })
}

function mayReadMetrics(context: Context, request: FastifyRequest): boolean {
  return isLoopbackName(request.ip) || isBootstrapToken(context, bearerToken(request.headers.authorization))
}
