type Cookie = { value: string; path: string; flags: string }

export type RequestOptions = {
  method?: string
  headers?: Record<string, string>
  body?: string | FormData | URLSearchParams | Uint8Array<ArrayBuffer>
  signal?: AbortSignal
}

/** The browser features that sign-in needs: cookies with paths, and redirects followed manually. */
export class Browser {
  readonly origin: string
  readonly cookies = new Map<string, Cookie>()

  constructor(origin: string) {
    this.origin = origin
  }

  /** Sends a request with the stored cookies and stores new ones; does not follow redirects. */
  async fetch(address: string, { method = 'GET', headers = {}, body, signal }: RequestOptions = {}): Promise<Response> {
    const url = new URL(address, this.origin)
    const cookie = [...this.cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(url, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    for (const line of answer.headers.getSetCookie()) this.#storeCookie(line)
    return answer
  }

  /** Follows redirects within the console until the answer is not a redirect or leads to `until`. */
  async follow(
    address: string,
    options: RequestOptions = {},
    until = '/sso/login',
  ): Promise<{ url: URL; answer: Response }> {
    let url = new URL(address, this.origin)
    let answer = await this.fetch(url.href, options)
    for (let hop = 0; hop < 10; hop++) {
      const location = answer.headers.get('location')
      if (location === null) return { url, answer }
      url = new URL(location, url)
      if (url.pathname === until) return { url, answer }
      answer = await this.fetch(url.href)
    }
    throw new Error('Too many redirects.')
  }

  #storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    const value = pair.slice(at + 1)
    const flags = attributes.map(attribute => attribute.trim()).join('; ')
    const path = /(?:^|; )Path=([^;]+)/i.exec(flags)?.[1] ?? '/'
    const ended = /(?:^|; )Expires=Thu, 01 Jan 1970/i.test(flags) || /(?:^|; )Max-Age=0(?:;|$)/i.test(flags)
    if (ended || value === '') this.cookies.delete(name)
    else this.cookies.set(name, { value, path, flags })
  }
}
