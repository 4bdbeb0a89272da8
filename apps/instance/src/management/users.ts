import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { type DirectoryUser, isUserName, passwordRule, isGoodPassword, userNameRule } from '../auth/user-directory.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http-error.ts'
import { nameParams, parse } from './parse.ts'

const userSchema = z.object({
  name: z.string().refine(isUserName, userNameRule),
  password: z.string().refine(isGoodPassword, passwordRule),
  groups: z.array(z.string().min(1).max(400)).max(1000).default([]),
  tenant: z.string().min(1).max(200).nullable().default(null),
})

/** The calls below `/esbapi/users`. Passwords and hashes are never returned. */
export async function serveUsers(app: FastifyInstance, { users }: Context): Promise<void> {
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
