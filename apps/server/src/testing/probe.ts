import { defineCall } from '@cadmus/model/contract/call'
import { idParams, multipartBody, pageQuery, userIdQuery } from '@cadmus/model/contract/shared'
import * as z from 'zod'
import { ApiError } from '../errors/api-error.ts'
import { handle, type Route } from '../http/route.ts'

const tag = 'Probe'

/** Test-only calls that return the request as parsed by the HTTP layer. */
export const probeWho = defineCall({
  id: 'probeWho',
  method: 'GET',
  path: '/1.0/cdm/probe/who',
  tag,
  access: 'user',
  summary: 'The caller.',
  query: userIdQuery,
  answer: z.object({ userId: z.string(), isAdmin: z.boolean(), organisation: z.string(), token: z.string() }),
})

export const probeAdmin = defineCall({
  id: 'probeAdmin',
  method: 'POST',
  path: '/1.0/cdm/probe/admin',
  tag,
  access: 'admin',
  summary: 'For administrators.',
  answer: z.object({ ok: z.boolean() }),
})

export const probeEcho = defineCall({
  id: 'probeEcho',
  method: 'POST',
  path: '/1.0/cdm/probe/echo/{id}',
  tag,
  access: 'user',
  summary: 'What arrived.',
  params: idParams,
  query: pageQuery(20),
  body: z.object({ name: z.string().min(2), more: z.unknown().optional() }),
  answer: z.object({ id: z.number(), limit: z.number(), name: z.string() }),
})

export const probeSave = defineCall({
  id: 'probeSave',
  method: 'PUT',
  path: '/1.0/cdm/probe/save',
  tag,
  access: 'user',
  concurrency: 'if-match',
  summary: 'Saves nothing.',
  answer: z.object({ base: z.string() }),
})

export const probeUpload = defineCall({
  id: 'probeUpload',
  method: 'POST',
  path: '/1.0/cdm/probe/upload',
  tag,
  access: 'user',
  summary: 'Counts a file.',
  body: multipartBody,
  files: [{ kind: 'file', part: 'manifestFile', extensions: ['.zip'] }],
  answer: z.object({ bytes: z.number(), fileName: z.string(), field: z.string() }),
})

export const probeDownload = defineCall({
  id: 'probeDownload',
  method: 'GET',
  path: '/1.0/cdm/probe/download',
  tag,
  access: 'user',
  summary: 'Gives a file.',
  answer: 'binary',
  mediaTypes: ['application/zip'],
})

export const probeFailure = defineCall({
  id: 'probeFailure',
  method: 'GET',
  path: '/1.0/cdm/probe/failure/{kind}',
  tag,
  access: 'user',
  summary: 'Fails.',
  params: z.object({ kind: z.enum(['unknown', 'known', 'answer']) }),
  answer: z.object({ must: z.string() }),
})

export const probeRoutes: Route[] = [
  handle(probeWho, async (_input, { who, organisation }) => ({
    userId: who.userId,
    isAdmin: who.isAdmin,
    organisation: organisation.code,
    token: who.token,
  })),
  handle(probeAdmin, async () => ({ ok: true })),
  handle(probeEcho, async ({ params, query, body }) => ({ id: params.id, limit: query.limit, name: body.name })),
  handle(probeSave, async (_input, request) => {
    request.setEtag('state-2')
    return { base: request.ifMatch ?? '' }
  }),
  handle(probeUpload, async (_input, request) => {
    const { files, fields } = await request.files()
    const file = files.get('manifestFile')
    if (fields.get('importAs') === 'SLOW') await new Promise(resolve => setTimeout(resolve, 1000))
    return { bytes: file?.bytes.length ?? -1, fileName: file?.fileName ?? '', field: fields.get('importAs') ?? '' }
  }),
  handle(probeDownload, async (_input, request) =>
    request.sendBinary(new TextEncoder().encode('bytes'), 'Größe "1".zip', 'application/zip'),
  ),
  handle(probeFailure, async ({ params }) => {
    if (params.kind === 'known') throw new ApiError(409, 'conflict', 'Known.', { detail: 'select secret_column' })
    if (params.kind === 'unknown') throw new Error('select secret_column from secret_table at /srv/secret/path')
    // Violates the declared answer, to test that it is not sent.
    return JSON.parse('{"must":1}')
  }),
]
