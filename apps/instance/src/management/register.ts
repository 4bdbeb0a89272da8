import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { networkOf } from '@cadmus/model/rate-limit'
import type { IssuedTokens } from '../auth/directory-tokens.ts'
import { admitManager } from '../auth/manager.ts'
import { type DirectoryUser, isGoodPassword, isUserName, passwordRule, userNameRule } from '../auth/user-directory.ts'
import type { Context } from '../context.ts'
import { HttpError, notFound } from '../http-error.ts'
import { allowLargeBodies } from '../http/bodies.ts'
import { idOf } from '../http/errors.ts'
import { serveDatabases } from './databases.ts'
import { nameParams, parse, servePackages } from './packages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the log. */
    manager: string
  }
}

/** The management API, compatible with the platform. Callers are admitted before a body is read. */
export async function serveManagement(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(async scope => serveTokens(scope, context))
  await app.register(async scope => {
    scope.decorateRequest('manager', '')
    scope.addHook('onRoute', allowLargeBodies)
    scope.addHook('onRequest', async request => {
      context.rates.take(`address:${networkOf(request.ip)}`)
      const { config, tokens } = context
      request.manager = admitManager({ tokens, consoleSecret: config.consoleSecret }, request.headers.authorization)
    })
    scope.addHook('onResponse', async (request, { statusCode: status }) => {
      const { method, manager } = request
      const path = request.url.split('?')[0]
      context.log.info({ requestId: idOf(request), method, path, manager, status }, 'managed')
    })
    await servePackages(scope, context)
    await serveDatabases(scope, context)
    await serveUsers(scope, context)
  })
}

const userSchema = z.object({
  name: z.string().refine(isUserName, userNameRule),
  password: z.string().refine(isGoodPassword, passwordRule),
  groups: z.array(z.string().min(1).max(400)).max(1000).default([]),
  tenant: z.string().min(1).max(200).nullable().default(null),
})

/** The calls below `/esbapi/users`. Passwords and hashes are never returned. */
async function serveUsers(app: FastifyInstance, { users }: Context): Promise<void> {
  app.get('/esbapi/users', async () => ({ items: users.list().map(publicUser) }))
  app.post('/esbapi/users', async ({ body }) => {
    const { password, ...user } = parse(userSchema, body)
    await users.save(user, password)
    return publicUser(user)
  })
  app.delete('/esbapi/users/:name', async ({ params }, reply) => {
    if (!users.remove(parse(nameParams, params).name)) throw notFound('The user')
    return reply.status(204).send()
  })
}

function publicUser({ name, groups, tenant }: Omit<DirectoryUser, 'hash'>) {
  return { name, groups, tenant }
}

/** The client of the platform's tools. It gives no access without a user. */
const client = { client_id: 'TOROMartini', client_secret: 'TOROMartini' }

const tokenRequest = z.object({
  grant_type: z.string().default(''),
  username: z.string().max(200).default(''),
  password: z.string().max(1000).default(''),
  refresh_token: z.string().max(16_000).default(''),
  client_id: z.string().default(client.client_id),
  client_secret: z.string().default(client.client_secret),
})
type TokenRequest = z.output<typeof tokenRequest>

type Refusal = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type'

/** `POST /oauth/token`: tokens for users of the directory. Errors follow OAuth 2 (RFC 6749, 5.2). */
async function serveTokens(app: FastifyInstance, context: Context): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => formOf(String(body)),
  )
  // Runs before a body is received.
  app.addHook('onRequest', async ({ ip }) => context.rates.take(`address:${networkOf(ip)}`))
  app.post('/oauth/token', async (request, reply) => {
    const read = tokenRequest.safeParse(request.body)
    if (!read.success) return refuse(reply, 'invalid_request', 'A field is missing, too long or repeated.')
    if (!isClient(read.data, request)) return refuse(reply, 'invalid_client', 'Unknown client.')
    return answer(context, read.data, request, reply)
  })
}

async function answer(context: Context, tokenFields: TokenRequest, request: FastifyRequest, reply: FastifyReply) {
  if (tokenFields.grant_type === 'password') {
    const user = await context.credentials.verify(tokenFields.username, tokenFields.password, request.ip)
    if (user === undefined) return refuse(reply, 'invalid_grant', 'The user name or the password is wrong.')
    return context.tokens.issue(user) satisfies IssuedTokens
  }
  if (tokenFields.grant_type === 'refresh_token') {
    const user = context.tokens.read(tokenFields.refresh_token, 'refresh')
    if (user === undefined) return refuse(reply, 'invalid_grant', 'The refresh token is invalid or has expired.')
    return context.tokens.issue(user) satisfies IssuedTokens
  }
  return refuse(reply, 'unsupported_grant_type', 'Supported grant types are password and refresh_token.')
}

/** Client credentials may be in the form or in the Authorization header. */
function isClient(tokenFields: TokenRequest, { headers }: FastifyRequest): boolean {
  const encoded = /^Basic +([\w+/=-]{1,1000}) *$/i.exec(headers.authorization ?? '')?.[1]
  const header = encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8')
  if (header !== null && header !== `${client.client_id}:${client.client_secret}`) return false
  return tokenFields.client_id === client.client_id && tokenFields.client_secret === client.client_secret
}

function refuse(reply: FastifyReply, error: Refusal, description: string): FastifyReply {
  return reply.status(error === 'invalid_client' ? 401 : 400).send({ error, error_description: description })
}

/** Repeated fields become arrays, which the schema refuses. */
function formOf(text: string): Record<string, string | string[]> {
  const fields = new URLSearchParams(text)
  const form: Record<string, string | string[]> = {}
  for (const name of Object.keys(tokenRequest.shape)) {
    const [value, ...others] = fields.getAll(name)
    if (value !== undefined) form[name] = others.length === 0 ? value : [value, ...others]
  }
  if (form['grant_type'] === undefined) throw new HttpError(400, 'The form has no grant_type.')
  return form
}
