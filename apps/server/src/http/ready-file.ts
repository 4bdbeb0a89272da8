import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingOf, type Encoding } from './encoding.ts'

type Made = Record<Encoding | 'identity', Buffer> & { hash: string }

/** A large text that is the same for all callers: compressed at the first request and identified by a strong tag. */
export class ReadyFile {
  #made: Promise<Made> | undefined

  /** Returns the bytes and sets their headers; null if the caller's copy is current (304). */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    text: () => string | Promise<string>,
  ): Promise<Buffer | null> {
    this.#made ??= make(text)
    const made = await this.#made
    const encoding = encodingOf(request.headers['accept-encoding'], ['br', 'gzip'])
    const tag = `"${made.hash}-${encoding}"`
    reply.header('etag', tag).header('vary', 'accept-encoding')
    if (isKnown(request.headers['if-none-match'] ?? '', tag)) {
      reply.status(304)
      return null
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return made[encoding]
  }
}

/** Compresses asynchronously, which runs in threads. */
async function make(text: () => string | Promise<string>): Promise<Made> {
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

function isKnown(known: string, tag: string): boolean {
  return known.split(',').some(one => one.trim().replace(/^W\//, '') === tag || one.trim() === '*')
}
