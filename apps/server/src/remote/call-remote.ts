import { lookup } from 'node:dns'
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { limits } from '@cadmus/model/limits'

const notPublic = new BlockList()
// All networks that the IANA special-purpose registries do not mark globally reachable, and multicast.
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(address, prefix, 'ipv4')
}
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
// Special networks within 2000::/3: Teredo and other protocol assignments, documentation, and 6to4, which embeds an
// IPv4 address.
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(address, prefix, 'ipv6')
}

/** Whether an address is publicly reachable, so that calling it cannot reach this network or machine. */
export function isGloballyRoutable(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address, 'ipv4')
  return publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

export type RemoteRequest = { method: string; headers: Record<string, string>; body: string | Uint8Array | null }
export type RemoteAnswer = { status: number; headers: Record<string, string>; body: Buffer }

export class RemoteError extends Error {
  /** Whether the address is not allowed at all. */
  readonly isForbidden: boolean

  constructor(message: string, cause?: unknown, isForbidden = false) {
    super(message, { cause })
    this.name = 'RemoteError'
    this.isForbidden = isForbidden
  }
}

const connectTimeout = 5000
const maxAnswerBytes = 10 * 1024 * 1024

/**
 * Calls another machine: http and https only, 5 s to connect, 30 s in total, redirects not followed, the name resolved
 * once and that address used. Rejects addresses that are not globally routable unless `trusted`. Throws RemoteError.
 */
export async function callRemote(url: URL, remoteRequest: RemoteRequest, trusted: boolean): Promise<RemoteAnswer> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RemoteError('Only http and https can be called.')
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!trusted && isIP(name) !== 0 && !isGloballyRoutable(name)) throw forbiddenAddress(url)
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: remoteRequest.method,
      headers: remoteRequest.headers,
      agent: false,
      lookup: trusted ? lookup : guardedLookup(url),
      signal: AbortSignal.timeout(limits.outgoingSeconds * 1000),
    }
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const fail = (cause: unknown) =>
      reject(cause instanceof RemoteError ? cause : new RemoteError(`${url.host} could not be reached.`, cause))
    const request = send(url, options, answer => collect(answer).then(resolve, fail))
    const connecting = setTimeout(
      () =>
        request.destroy(
          new RemoteError(`${url.host} did not respond within ${connectTimeout / 1000} seconds. Try again.`),
        ),
      connectTimeout,
    )
    request.once('socket', socket => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.once('error', fail)
    request.once('close', () => clearTimeout(connecting))
    request.end(remoteRequest.body ?? undefined)
  })
}

/** Resolves a name once and passes only public addresses to the connection. */
function guardedLookup(url: URL): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isGloballyRoutable(address))) {
        return callback(forbiddenAddress(url), '', 0)
      }
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
}

function forbiddenAddress(url: URL): RemoteError {
  return new RemoteError(`${url.host} is not an allowed address. Ask the operator to allow it.`, undefined, true)
}

async function collect(answer: IncomingMessage): Promise<RemoteAnswer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > maxAnswerBytes) {
      answer.destroy()
      throw new RemoteError('The response is too large.')
    }
    parts.push(bytes)
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts) }
}
