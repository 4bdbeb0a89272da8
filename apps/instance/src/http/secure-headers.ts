import type { FastifyInstance, FastifyReply } from 'fastify'

/** Allows no inline code and no other origins. */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** Built once for all answers. */
const headers = {
  'content-security-policy': policy.join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const

function headersOf(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : headers
}

/** Adds the headers to every answer unless a page sets its own. */
export function secureHeaders(app: FastifyInstance, isHttps: boolean): void {
  const all = Object.entries(headersOf(isHttps))
  app.addHook('onSend', (_request, reply, _payload, next) => {
    for (const [name, value] of all) if (!reply.hasHeader(name)) reply.header(name, value)
    // Answers are specific to a caller; page files set their own caching.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    next()
  })
}

/** Lets a page request tokens from the issuer. */
export function allowIssuer(reply: FastifyReply, issuer: URL | null): FastifyReply {
  const policyWithIssuer = headers['content-security-policy'].replace(
    "connect-src 'self'",
    `connect-src 'self' ${issuer?.origin ?? ''}`.trim(),
  )
  return reply.header('content-security-policy', policyWithIssuer)
}

/** Header names and values, alternating, for answers that bypass the hooks. */
export function fixedHeaders(isHttps: boolean): string[] {
  return [...Object.entries(headersOf(isHttps)).flat(), 'cache-control', 'no-store']
}
