import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

export type CookieOptions = {
  path: string
  lifetime: number
  /** False only for the cookie that lets the page's script see that a session exists. */
  httpOnly: boolean
}

/** All cookies are SameSite=Lax, and Secure over https. */
export function writeCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  options: CookieOptions,
  secure: boolean,
): void {
  reply.setCookie(name, value, {
    path: options.path,
    maxAge: Math.floor(options.lifetime / 1000),
    httpOnly: options.httpOnly,
    sameSite: 'lax',
    secure,
  })
}

export function removeCookie(reply: FastifyReply, name: string, path: string, secure: boolean): void {
  reply.clearCookie(name, { path, sameSite: 'lax', secure })
}

/** Returns the tag without quotes and weak prefix (added by compressing proxies), `*`, or undefined. */
export function ifMatchOf(headers: FastifyRequest['headers']): string | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || header === '') return undefined
  if (header === '*') return '*'
  return header.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}

/** Whether If-None-Match names the tag, also in the weak form that compressing proxies make. */
export function hasTag(headers: FastifyRequest['headers'], tag: string): boolean {
  const texts = (headers['if-none-match'] ?? '').split(',').map(one => one.trim().replace(/^W\//, ''))
  return texts.includes('*') || texts.includes(writeEtag(tag))
}

export function writeEtag(tag: string): string {
  return `"${tag.replaceAll('"', '')}"`
}

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
