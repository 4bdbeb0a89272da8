import multipart from '@fastify/multipart'
import { limits } from '@cadmus/model/limits'
import { lossDigestText, mostSchemaSteps } from '@cadmus/model/schema-step'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { lossDigestOf } from '../engine/loss-digest.ts'
import { HttpError, invalid } from '../http-error.ts'
import type { PackageState } from '../packages/status.ts'
import { nameParams, sent, sizeQuery } from './sent.ts'

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(text => text === 'true')

/** Of the data that a start would lose: any, or those of the list that it was refused with and that has this digest. */
const loss = {
  allowDataLoss: flag,
  lossDigest: z.union([z.literal(''), lossDigestText]).default(''),
}

const uploadQuery = z.object({
  stateOnCreate: z.enum(['LOADED', 'STARTED']).optional(),
  replaceExisting: flag,
  ...loss,
})
const changeQuery = z.object(loss)

const changes = { start: 'STARTED', stop: 'LOADED', load: 'LOADED', unload: 'UNLOADED' } as const

/** A zip is held in memory, up to 100 MB. */
const uploadsAtOnce = 2

/** The calls below `/esbapi/packages`. */
export async function servePackages(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: limits.upload, files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024 },
  })
  const { packages } = context
  app.get('/esbapi/packages', async ({ query }) => {
    const { size } = sent(sizeQuery, query)
    return { items: packages.list().slice(0, size).map(itemOf) }
  })
  app.get('/esbapi/packages/:name', async ({ params }) => detailOf(packages.state(sent(nameParams, params).name)))
  for (const [word, wanted] of Object.entries(changes)) {
    app.put(`/esbapi/packages/:name/${word}`, async ({ params, query }, reply) => {
      const { name } = sent(nameParams, params)
      packages.become(name, wanted, sent(changeQuery, query))
      return reply.status(202).send(itemOf(packages.state(name)))
    })
  }
  app.delete('/esbapi/packages/:name', async ({ params }, reply) => {
    await packages.remove(sent(nameParams, params).name)
    // The answer has no body to say it in.
    return reply.status(204).header('x-cadmus-data', 'kept').send()
  })
  serveUpload(app, context)
}

function serveUpload(app: FastifyInstance, { packages }: Context): void {
  let underWay = 0
  app.post('/esbapi/packages/upload', async request => {
    const { stateOnCreate, ...wishes } = sent(uploadQuery, request.query)
    if (underWay >= uploadsAtOnce)
      throw new HttpError(429, 'Wait for the other uploads to end.', { 'retry-after': '5' })
    underWay += 1
    try {
      const zip = await fileOf(request)
      return packages.upload(zip, { state: stateOnCreate ?? null, ...wishes }).map(itemOf)
    } finally {
      underWay -= 1
    }
  })
}

/** The part `file` of the form, whole: of one that is cut off nothing is taken. */
async function fileOf(request: FastifyRequest): Promise<Uint8Array> {
  if (!request.isMultipart()) throw new HttpError(415, 'An upload is a form (multipart/form-data) with the part file.')
  let zip: Uint8Array | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue
      if (part.fieldname !== 'file') throw invalid(`The form has a file too many: ${part.fieldname.slice(0, 60)}.`)
      zip = await part.toBuffer()
    }
  } catch (error) {
    // What else comes is taken off the connection, which may go on, but no longer looked at.
    request.raw.unpipe()
    request.raw.resume()
    // The parser's errors have no status of their own; only those of its limits have.
    const known =
      error instanceof HttpError || (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
    throw known ? error : invalid('The form is malformed or cut off.', error)
  }
  if (zip === null) throw invalid('The form has no part file.')
  return zip
}

function detailOf(state: PackageState) {
  const { contextPath, stateOnStartup, runningVersion, steps } = state
  const detail = { ...itemOf(state), contextPath, stateOnStartup, runningVersion }
  if (steps.length === 0) return detail
  const told = { stepCount: steps.length, steps: steps.slice(0, mostSchemaSteps) }
  return { ...detail, ...told, lossDigest: lossDigestOf(steps) }
}

function itemOf({ id, owner, name, version, status, reason, warnings, runningVersion }: PackageState) {
  return {
    id,
    ...(owner === null ? {} : { owner }),
    name,
    version,
    status,
    // What answers, where that is another one.
    ...(runningVersion === null || runningVersion === version ? {} : { runningVersion }),
    ...(reason === '' ? {} : { reason }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
