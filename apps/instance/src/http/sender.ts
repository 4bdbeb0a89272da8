import { limits } from '@cadmus/model/limits'
import { slicesOf, type TextPieces } from '@cadmus/model/text-pieces'
import type { FastifyReply } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '../http-error.ts'
import { type RequestScope, tooLargeAnswer } from '../request-scope.ts'
import { fixedHeaders } from './secure-headers.ts'
import type { Unread } from './unread.ts'

/** Answers a text of the content type with the headers of every answer; `isAway`: with 503 instead of 200. */
export type Send = (
  reply: FastifyReply,
  contentType: string,
  text: TextPieces,
  isAway?: boolean,
) => FastifyReply | Promise<FastifyReply>

/** Characters that are encoded and written at once. */
const slice = 64 * 1024
/** Milliseconds between two looks at what others want. */
const stretch = 10

/**
 * Past all that the framework does for answers that are not known before: the way of most calls. Small answers are written at once. Large ones
 * wait for a slot and are made and written in pieces, for as long as the caller is there. Throws 429 for a caller that leaves too much unread,
 * and 503 where all together do or want too much.
 */
export function sender(isHttps: boolean, unread: Unread): Send {
  const fixed = fixedHeaders(isHttps)
  // One for each content type: nothing of it is kept by who writes it.
  const lists = new Map<string, string[]>()
  const begin = (reply: FastifyReply, contentType: string, size: number, isAway: boolean) => {
    const list = lists.get(contentType) ?? [...fixed, 'content-type', contentType, 'content-length', '']
    lists.set(contentType, list)
    unread.hold(reply, size)
    list[list.length - 1] = String(size)
    reply.hijack()
    if (isAway) reply.raw.writeHead(503, [...list, 'retry-after', '2'])
    else reply.raw.writeHead(200, list)
  }
  return (reply, contentType, text, isAway = false) => {
    const { scope } = reply.request
    if (scope.isGone) return reply.hijack()
    const small = quickText(text)
    if (typeof small !== 'string') {
      return encoded(small, scope).then(({ parts, size }) => {
        begin(reply, contentType, size, isAway)
        void written(reply, parts)
        return reply
      })
    }
    // The answer is made: how fast the caller takes it must hold up nobody else.
    scope.freeSlot()
    begin(reply, contentType, Buffer.byteLength(small), isAway)
    reply.raw.end(small)
    return reply
  }
}

/** The whole text, or the pieces of one that is large. */
function quickText(text: TextPieces): string | Iterable<string> {
  if (typeof text === 'string') return text.length <= limits.quickAnswer ? text : [text]
  const pieces = text[Symbol.iterator]()
  let whole = ''
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    whole += next.value
    if (whole.length > limits.quickAnswer) return rest(whole, pieces)
  }
  return whole
}

function* rest(first: string, pieces: Iterator<string>): Generator<string> {
  yield first
  for (let next = pieces.next(); !next.done; next = pieces.next()) yield next.value
}

/** The bytes of a large answer. Throws 499 where the caller is gone, and 400 where it is more than may be answered. */
async function encoded(pieces: Iterable<string>, scope: RequestScope): Promise<{ parts: Buffer[]; size: number }> {
  await scope.slot(scope.isChange)
  const parts: Buffer[] = []
  let size = 0
  let since = performance.now()
  for (const text of slicesOf(pieces, slice)) {
    const part = Buffer.from(text)
    parts.push(part)
    size += part.length
    if (size > limits.databaseAnswer && !scope.isChange) throw invalid(tooLargeAnswer)
    if (performance.now() - since < stretch) continue
    await nextTurn()
    scope.requireCaller()
    since = performance.now()
  }
  scope.freeSlot()
  return { parts, size }
}

/** Each part when the one before was taken, for as long as the caller is there. */
async function written({ raw, request: { scope } }: FastifyReply, parts: Buffer[]): Promise<void> {
  for (const [at, part] of parts.entries()) {
    if (scope.isGone || raw.destroyed) return
    // It is held no longer than it has to be.
    parts[at] = nothing
    if (!raw.write(part)) await taken(raw, scope)
  }
  raw.end()
}

const nothing = Buffer.alloc(0)

/**
 * A connection that takes nothing for long is closed: a socket's own time begins anew with bytes that the caller sends. Without the connection
 * another answer comes first.
 */
function taken(raw: FastifyReply['raw'], scope: RequestScope): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => (raw.socket === null ? timer.refresh() : raw.socket.destroy()), limits.stalledAnswer)
    scope.atEnd(goOn)
    raw.once('drain', goOn)
    function goOn() {
      clearTimeout(timer)
      scope.notAtEnd(goOn)
      raw.off('drain', goOn)
      resolve()
    }
  })
}
