import { networkOf } from '@cadmus/model/network'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { IssuedTokens } from '../auth/directory-tokens.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http-error.ts'

/** The client that the platform's tools are by themselves; it opens nothing without a user. */
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

/** `POST /oauth/token`: tokens for the users of the instance's own directory. Refusals are those of OAuth 2 (RFC 6749, 5.2). */
export async function serveTokens(app: FastifyInstance, context: Context): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => formOf(String(body)),
  )
  // Before a body is received.
  app.addHook('onRequest', async ({ ip }) => context.rates.take(`address:${networkOf(ip)}`))
  app.post('/oauth/token', async (request, reply) => {
    const read = tokenRequest.safeParse(request.body)
    if (!read.success) return refuse(reply, 'invalid_request', 'A field is missing, too long, or there more than once.')
    if (!isClient(read.data, request)) return refuse(reply, 'invalid_client', 'The client is not known.')
    return answer(context, read.data, request, reply)
  })
}

async function answer(context: Context, asked: TokenRequest, request: FastifyRequest, reply: FastifyReply) {
  if (asked.grant_type === 'password') {
    const user = await context.credentials.verify(asked.username, asked.password, request.ip)
    if (user === undefined) return refuse(reply, 'invalid_grant', 'The user name or the password is wrong.')
    return context.tokens.issue(user) satisfies IssuedTokens
  }
  if (asked.grant_type === 'refresh_token') {
    const user = context.tokens.read(asked.refresh_token, 'refresh')
    if (user === undefined) return refuse(reply, 'invalid_grant', 'The refresh token is not valid, or no longer.')
    return context.tokens.issue(user) satisfies IssuedTokens
  }
  return refuse(reply, 'unsupported_grant_type', 'The grant types are password and refresh_token.')
}

/** In the form or, as clients may, as the user name and password of the request. */
function isClient(asked: TokenRequest, { headers }: FastifyRequest): boolean {
  const encoded = /^Basic +([\w+/=-]{1,1000}) *$/i.exec(headers.authorization ?? '')?.[1]
  const shown = encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8')
  if (shown !== null && shown !== `${client.client_id}:${client.client_secret}`) return false
  return asked.client_id === client.client_id && asked.client_secret === client.client_secret
}

function refuse(reply: FastifyReply, error: Refusal, description: string): FastifyReply {
  return reply.status(error === 'invalid_client' ? 401 : 400).send({ error, error_description: description })
}

/** What comes twice is refused by the schema: a list is no text. */
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
