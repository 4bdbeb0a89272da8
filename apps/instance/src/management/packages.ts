import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { limits } from '@cadmus/model/limits'
import { lossDigestText, maxSchemaSteps } from '@cadmus/model/schema-step'
import { needsPlace } from '@cadmus/model/schema-words'
import type { Context } from '../context.ts'
import { lossDigestOf } from '../engine/alter-tables.ts'
import { HttpError, invalid } from '../http-error.ts'
import type { PackageState } from '../packages/lifecycle.ts'

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(text => text === 'true')

/**
 * Permission to lose data at a start: any data, or exactly the losses with this digest, which a refusal has listed.
 */
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
const previewQuery = z.object({ counts: flag })

const changes = { start: 'STARTED', stop: 'LOADED', load: 'LOADED', unload: 'UNLOADED' } as const

/** Each upload holds up to 100 MB in memory. */
const uploadsAtOnce = 2

/** The calls below `/esbapi/packages`. */
export async function servePackages(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: limits.upload, files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024 },
  })
  const { packages } = context
  app.get('/esbapi/packages', async ({ query }) => {
    const { size } = parse(sizeQuery, query)
    return { items: packages.list().slice(0, size).map(itemOf) }
  })
  app.get('/esbapi/packages/:name', async ({ params }) => detailOf(packages.state(parse(nameParams, params).name)))
  for (const [word, target] of Object.entries(changes)) {
    app.put(`/esbapi/packages/:name/${word}`, async ({ params, query }, reply) => {
      const { name } = parse(nameParams, params)
      packages.setTarget(name, target, parse(changeQuery, query))
      return reply.status(202).send(itemOf(packages.state(name)))
    })
  }
  app.delete('/esbapi/packages/:name', async ({ params }, reply) => {
    await packages.remove(parse(nameParams, params).name)
    // A header, because the answer has no body.
    return reply.status(204).header('x-cadmus-data', 'kept').send()
  })
  serveUpload(app, context)
}

function serveUpload(app: FastifyInstance, { packages }: Context): void {
  const uploads = { running: 0 }
  // Counted apart, because they wait for databases, which must not refuse the uploads of others.
  const previews = { running: 0 }
  app.post('/esbapi/packages/upload', async request => {
    const { stateOnCreate, ...options } = parse(uploadQuery, request.query)
    const upload = (zip: Uint8Array) => packages.upload(zip, { state: stateOnCreate ?? null, ...options }).map(itemOf)
    return withFile(request, uploads, upload)
  })
  app.post('/esbapi/packages/preview', async request => {
    const options = parse(previewQuery, request.query)
    return withFile(request, previews, zip => packages.preview(zip, options))
  })
}

async function withFile<T>(
  request: FastifyRequest,
  count: { running: number },
  work: (zip: Uint8Array) => T,
): Promise<Awaited<T>> {
  if (count.running >= uploadsAtOnce)
    throw new HttpError(429, 'Wait for the other uploads to end.', { 'retry-after': '5' })
  count.running += 1
  try {
    return await work(await fileOf(request))
  } finally {
    count.running -= 1
  }
}

/** Reads the part `file` of the form completely; a truncated form is refused. */
async function fileOf(request: FastifyRequest): Promise<Uint8Array> {
  if (!request.isMultipart())
    throw new HttpError(415, 'An upload must be a form (multipart/form-data) with a part named "file".')
  let zip: Uint8Array | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue
      if (part.fieldname !== 'file') throw invalid(`The form has an unexpected file: ${part.fieldname.slice(0, 60)}.`)
      zip = await part.toBuffer()
    }
  } catch (error) {
    // Drains the rest of the body, so that the connection can be reused.
    request.raw.unpipe()
    request.raw.resume()
    // Only limit errors of the parser have a status.
    const isClientError =
      error instanceof HttpError || (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
    throw isClientError ? error : invalid('The form is malformed or cut off.', error)
  }
  if (zip === null) throw invalid('The form has no part named "file".')
  return zip
}

function detailOf(state: PackageState) {
  const { contextPath, stateOnStartup, runningVersion, steps } = state
  const detail = { ...itemOf(state), contextPath, stateOnStartup, runningVersion }
  if (steps.length === 0) return detail
  const details = { stepCount: steps.length, steps: steps.slice(0, maxSchemaSteps) }
  return { ...detail, ...details, lossDigest: lossDigestOf(steps) }
}

function itemOf({ id, owner, name, version, status, reason, warnings, runningVersion }: PackageState) {
  return {
    id,
    ...(owner === null ? {} : { owner }),
    name,
    version,
    status,
    // Present if another version is running.
    ...(runningVersion === null || runningVersion === version ? {} : { runningVersion }),
    ...(reason === '' ? {} : { reason }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** Parses input with a schema. Throws 400 with the first problem. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const message = issue?.message ?? 'The request is not valid.'
  const place =
    issue === undefined || issue.path.length === 0 || !needsPlace(message) ? '' : `${issue.path.join('.')}: `
  throw invalid(`${place}${message}`)
}

export const sizeQuery = z.object({
  size: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.listLimit.default),
})

export const nameParams = z.object({ name: z.string().max(200) })
