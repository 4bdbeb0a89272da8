/** Address of this server. */
export type OwnPlace = { readonly publicUrl: URL; readonly port: number }

/**
 * Whether a request is addressed to this server: its `Host` is the public address or a loopback name. A request target with a host is for
 * proxies and is refused.
 */
export function isForUs(address: string | undefined, host: string | undefined, place: OwnPlace): boolean {
  return address?.startsWith('/') === true && host !== undefined && isOwnHost(host, place)
}

/** Whether a request names its host once, as every one must (RFC 9112, 3.2). `rawHeaders`: names and values in turn. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1
}

/** Whether a host name or address can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  const bare = name.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(bare)
}

function isOwnHost(host: string, { publicUrl, port }: OwnPlace): boolean {
  if (host.toLowerCase() === publicUrl.host) return true
  if (!onlyHost.test(host) || !URL.canParse(`http://${host}`)) return false
  const requested = new URL(`http://${host}`)
  return isLoopbackName(requested.hostname) && (requested.port === '' ? 80 : Number(requested.port)) === port
}

/** Matches a host without user info or path. */
const onlyHost = /^(?:[^@/?#\\[\]:\s]+|\[[\da-f:.]+\])(?::\d+)?$/i
