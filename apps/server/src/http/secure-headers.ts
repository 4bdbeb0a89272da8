import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/** Sets the headers of every answer. The policy has no 'unsafe-inline', because no page of ours needs it. */
export async function secureHeaders(app: FastifyInstance, context: Context): Promise<void> {
  // Personal answers must not be cached; static files set their own lifetime.
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  const https = context.config.publicUrl?.protocol === 'https:'
  const issuer = context.config.oidc.kind === 'external' ? [context.config.oidc.issuer.origin] : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Avatars are hosted by the identity provider.
        imgSrc: ["'self'", 'data:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'", ...issuer],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
  })
}
