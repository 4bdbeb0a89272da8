import { onlyReads } from '@cadmus/model/contract/call'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { limits } from '@cadmus/model/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type * as z from 'zod'
import type { Context } from '../context.ts'
import { type Admission, admit } from './admit.ts'
import { hasTag, ifMatchOf, removeCookie, writeCookie, writeEtag } from './headers.ts'
import { ApiError, forbidden, unauthenticated } from '../errors/api-error.ts'
import { type Form, type FormSlots, readForm } from './upload.ts'
import { type AnswerLimiter, takeAnswerSlot, onAnswerEnd } from './answer-limiter.ts'
import { ReadyJson } from './ready-json.ts'
import type { Download, DownloadBytes, RequestContext, Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission | null
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

/** Per-user limits of concurrent work. */
export type CallerLimits = { forms: FormSlots; answers: AnswerLimiter }

/** Registers one HTTP route for a call: gate, validation, handler, answer. */
export function registerRoute(app: FastifyInstance, context: Context, route: Route, limiters: CallerLimits): void {
  const { call } = route
  app.route({
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { route },
    bodyLimit: call.body === undefined || call.access === 'public' ? limits.unknownBody : limits.requestBody,
    schema: {
      operationId: call.id,
      tags: [call.tag],
      summary: call.summary,
      ...(call.params === undefined ? {} : { params: call.params }),
      ...(call.query === undefined ? {} : { querystring: call.query }),
      ...(call.body === undefined || call.files !== undefined ? {} : { body: call.body }),
      response: { ...(call.answer === 'binary' ? {} : { 200: call.answer }), default: errorAnswer },
    },
    async onRequest(request, reply) {
      request.admission = await admit(context, call, request)
      const { who } = request.admission
      if (who !== null) takeAnswerSlot(limiters.answers, who.userId, request, reply)
    },
    async preHandler(request, reply) {
      const { who } = request.admission ?? {}
      if (call.files === undefined && call.body !== undefined) await request.admission?.recheck()
      if (call.files !== undefined && who != null) onAnswerEnd(request, reply, limiters.forms.take(who.userId))
    },
    async handler(request, reply) {
      const { params, query, body } = request
      const requestScope = requestContext(context, route, request, reply)
      if (onlyReads(call)) requestScope.signal.throwIfAborted()
      const answer = await route.run({ params, query, body }, requestScope)
      requestScope.signal.throwIfAborted()
      if (call.answer === 'binary') return sendDownload(reply, answer)
      if (call.revalidates) return sendIfChanged(request, reply, await readyOf(answer, call.answer))
      if (answer instanceof ReadyJson) return sendReady(reply, answer)
      return reply.send(await call.answer.parseAsync(answer))
    },
  })
}

function requestContext(context: Context, route: Route, request: FastifyRequest, reply: FastifyReply): RequestContext {
  const secure = context.publicUrl.protocol === 'https:'
  return {
    context,
    get who() {
      if (request.admission?.who == null) throw unauthenticated()
      return request.admission.who
    },
    get organisation() {
      if (request.admission?.organisation == null) throw forbidden('The request names no organisation.')
      return request.admission.organisation
    },
    isOtherOrganisation: request.admission?.isOtherOrganisation ?? false,
    session: request.admission?.session ?? null,
    requestId: request.id,
    sent: JSON.stringify([request.method, request.url, request.bodyDigest]),
    signal: signalOf(request, reply),
    ifMatch: ifMatchOf(request.headers),
    setEtag: tag => void reply.header('etag', writeEtag(tag)),
    setHeader: (name, value) => {
      if (route.call.answerHeaders?.[name] === undefined) throw new TypeError(`The call declares no header ${name}.`)
      void reply.header(name, value)
    },
    setStatus: status => void reply.status(status),
    files: () => formOf(route, request),
    sendBinary: (bytes, fileName, contentType) => {
      const [mediaType = ''] = contentType.split(';')
      if (!route.call.mediaTypes?.includes(mediaType)) throw new TypeError(`The call declares no ${mediaType}.`)
      return { bytes, fileName, contentType }
    },
    header: name => [request.headers[name.toLowerCase()]].flat()[0],
    cookie: name => request.cookies[name],
    cookieNames: () => Object.keys(request.cookies),
    setCookie: (name, value, options) => writeCookie(reply, name, value, options, secure),
    clearCookie: (name, path) => removeCookie(reply, name, path, secure),
  }
}

async function formOf({ call }: Route, request: FastifyRequest): Promise<Form> {
  const form = await readForm(request, call.files ?? [])
  await request.admission?.recheck()
  return form
}

function signalOf(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  onAnswerEnd(request, reply, () => {
    if (!reply.raw.writableFinished) controller.abort(new ApiError(499, 'gone', 'The caller has disconnected.'))
  })
  return controller.signal
}

async function readyOf(answer: unknown, schema: z.ZodType): Promise<ReadyJson> {
  if (answer instanceof ReadyJson) return answer
  return new ReadyJson(Buffer.from(JSON.stringify(await schema.parseAsync(answer))))
}

/** Tags an answer by its bytes; 304 without them if the caller has the same. */
function sendIfChanged(request: FastifyRequest, reply: FastifyReply, answer: ReadyJson): FastifyReply {
  const tag = createHash('sha256').update(answer.bytes).digest('base64url')
  void reply.header('etag', writeEtag(tag))
  return hasTag(request.headers, tag) ? reply.status(304).send() : sendReady(reply, answer)
}

function sendReady(reply: FastifyReply, { bytes, encoding }: ReadyJson): FastifyReply {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (encoding !== 'identity') void reply.header('content-encoding', encoding).header('vary', 'accept-encoding')
  return reply.type('application/json; charset=utf-8').send(body)
}

function sendDownload(reply: FastifyReply, answer: unknown): FastifyReply {
  if (!isDownload(answer)) throw new TypeError('The handler of a download returned no bytes.')
  const plain = answer.fileName.replaceAll(/[^\w.-]/g, '_')
  return reply
    .header('content-type', answer.contentType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(answer.fileName)}`)
    .send(payloadOf(answer.bytes))
}

function payloadOf(bytes: DownloadBytes): Buffer | Readable {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Readable.from(bytes, { objectMode: false })
}

/** RFC 5987: escapes the characters that encodeURIComponent leaves but the header grammar forbids. */
function encodeName(fileName: string): string {
  return encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    result => `%${result.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function isDownload(answer: unknown): answer is Download {
  if (typeof answer !== 'object' || answer === null || !('bytes' in answer)) return false
  const { bytes } = answer
  return bytes instanceof Uint8Array || (typeof bytes === 'object' && bytes !== null && Symbol.asyncIterator in bytes)
}
