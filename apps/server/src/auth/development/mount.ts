import { networkOf } from '@cadmus/model/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Context } from '../../context.ts'
import { notFound, unavailable } from '../../errors/api-error.ts'
import { demoUsers } from './demo-users.ts'
import { signInPage } from './pages.ts'
import { mountPath, picturePath } from './provider.ts'

/** Mounts the development provider under /oidc; nothing is mounted with an external issuer. */
export async function mountDevelopmentProvider(app: FastifyInstance, context: Context): Promise<void> {
  if (context.provider === null) return
  context.oidc.useTransport(async (url, { method, headers, body }) => {
    const answer = await app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...headers, host: context.publicUrl.host },
      ...(body === null ? {} : { payload: typeof body === 'string' ? body : Buffer.from(body) }),
    })
    const responseHeaders = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return { status: answer.statusCode, headers: Object.fromEntries(responseHeaders), body: answer.rawPayload }
  })
  await app.register(async scope => {
    // The provider parses bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', async request => {
      context.rates.requests.take(`address:${networkOf(request.ip)}`)
    })
    scope.get(`${mountPath}/interaction/:uid`, { schema: { hide: true } }, (request, reply) =>
      showUsers(context, request, reply),
    )
    scope.post(`${mountPath}/interaction/:uid/:user`, { schema: { hide: true } }, (request, reply) =>
      signInAs(context, request, reply),
    )
    scope.get(`${picturePath}/:file`, { schema: { hide: true } }, (request, reply) => sendPicture(request, reply))
    scope.all(`${mountPath}/*`, { schema: { hide: true } }, (request, reply) =>
      forwardToProvider(context, request, reply),
    )
  })
}

async function showUsers(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const provider = providerOf(context)
  describePublicAddress(context, request)
  const { uid, params } = await provider.interactionDetails(request.raw, reply.raw).catch(throwSignInError)
  const returnOrigin = new URL(String(params['redirect_uri'])).origin
  const { html, policy } = signInPage(
    user => `${mountPath}/interaction/${uid}/${user.subject}`,
    returnOrigin,
    context.config.demo,
  )
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(html)
}

async function signInAs(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const provider = providerOf(context)
  const { params } = request
  const subject = typeof params === 'object' && params !== null && 'user' in params ? params.user : undefined
  const user = demoUsers.find(demoUser => demoUser.subject === subject)
  if (user === undefined) throw notFound('This user')
  describePublicAddress(context, request)
  const to = await provider
    .interactionResult(request.raw, reply.raw, { login: { accountId: user.subject } })
    .catch(throwSignInError)
  return reply.header('cache-control', 'no-store').redirect(to, 303)
}

/** Only a missing session is a 404; failures to read or store it are returned as errors. */
function throwSignInError(error: unknown): never {
  throw error instanceof errors.SessionNotFound ? notFound('This sign-in', error) : error
}

async function sendPicture({ params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const file = typeof params === 'object' && params !== null && 'file' in params ? params.file : undefined
  const picture = demoUsers.find(({ subject }) => `${subject}.svg` === file)?.picture
  if (picture === undefined) throw notFound('This picture')
  return reply.type('image/svg+xml').header('cache-control', 'private, max-age=3600').send(picture)
}

async function forwardToProvider(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const provider = providerOf(context)
  describePublicAddress(context, request)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value === undefined) continue
    const isPolicy = name === 'content-security-policy'
    reply.raw.setHeader(name, isPolicy ? allowClientForms(String(value), context) : value)
  }
  Object.assign(request.raw, { originalUrl: request.raw.url, url: (request.raw.url ?? '').slice(mountPath.length) })
  reply.hijack()
  await provider.callback()(request.raw, reply.raw)
  return reply
}

function providerOf(context: Context) {
  const provider = context.provider?.current
  if (provider == null) throw unavailable('The identity provider is starting.')
  return provider
}

/**
 * The provider derives URLs from the request, so it must see the console's public address, whatever a proxy changed.
 */
function describePublicAddress({ publicUrl }: Context, request: FastifyRequest): void {
  request.raw.headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1)
  request.raw.headers['x-forwarded-host'] = publicUrl.host
}

/** Allows redirects to clients after the provider's sign-out form, which precedes signing in as another user. */
function allowClientForms(policy: string, { config }: Context): string {
  const origins = config.instances.map(({ url }) => url.origin)
  return policy.replace("form-action 'self'", ["form-action 'self'", ...origins].join(' '))
}
