import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag, writeEtag } from './headers.ts'
import { encodingOf, type Encoding } from './ready-json.ts'

type Compressed = Record<Encoding | 'identity', Buffer> & { hash: string }

/** A large text that is the same for all callers: compressed at the first request and identified by a strong tag. */
export class ReadyFile {
  #compressed: Promise<Compressed> | undefined

  /** Returns the bytes and sets their headers; null if the caller's copy is current (304). */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    text: () => string | Promise<string>,
  ): Promise<Buffer | null> {
    this.#compressed ??= compress(text)
    const compressed = await this.#compressed
    const encoding = encodingOf(request.headers['accept-encoding'], ['br', 'gzip'])
    const tag = `${compressed.hash}-${encoding}`
    reply.header('etag', writeEtag(tag)).header('vary', 'accept-encoding')
    if (hasTag(request.headers, tag)) {
      reply.status(304)
      return null
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return compressed[encoding]
  }
}

/** Compresses asynchronously, in threads. */
async function compress(text: () => string | Promise<string>): Promise<Compressed> {
  const identity = Buffer.from(await text())
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
  }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, quality),
    promisify<Buffer, Buffer>(gzip)(identity),
  ])
  return { identity, br, gzip: zipped, hash: createHash('sha256').update(identity).digest('hex').slice(0, 32) }
}
