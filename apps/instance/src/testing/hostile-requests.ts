import type { Api } from '@cadmus/model/api/api'
import type { Operation } from '@cadmus/model/api/operation'
import type { Random } from '@cadmus/model/testing/seeded-random'
import { toGraphQl, type GraphQlRequest } from './to-graphql.ts'
import { toRest, type RestRequest } from './to-rest.ts'
import { toSoap } from './to-soap.ts'
import type { RawRequest } from './pipelined.ts'

// For tests: valid requests corrupted in one or a few places.

export type HostileProtocol = 'rest' | 'graphql' | 'soap'

type Attack = { method: string; path: string; type: string | null; body: string | null }

/** Injected texts. `mark` is unique and not a valid model name. */
const pieces: readonly ((mark: string) => string)[] = [
  mark => `'; DROP TABLE ${mark}; --`,
  mark => `" OR "${mark}"="${mark}`,
  mark => `') UNION SELECT '${mark}' --`,
  mark => `\\'; ${mark} /*`,
  mark => `$1${mark}`,
  mark => `?1 ${mark}`,
  mark => `:${mark}`,
  mark => `@${mark}`,
  mark => `%27%20OR%20${mark}`,
  mark => `${mark}\u0000'"`,
  mark => `\ud800${mark}`,
  mark => `\u02bc${mark}\u201d`,
  mark => `"${mark}" DESC`,
  mark => `*/ ${mark} /*`,
  mark => `__proto__.${mark}`,
  mark => `${mark}`.padEnd(2000, "'"),
  mark => `-- ${mark}\n`,
  mark => `E'\\x27${mark}'`,
  mark => `$$${mark}$$`,
  mark => `{{${mark}}}\${${mark}}`,
  mark => `../../${mark}`,
  mark => `<!--${mark}-->`,
  mark => `]]>${mark}`,
]

const odd: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[[]]],
  -0,
  1e308,
  -1e308,
  9007199254740994,
  0.1,
  '',
  '0x10',
  'NaN',
  '1e400',
  [null],
  { $ne: null },
]

export class HostileRequests {
  readonly #api: Api
  readonly #random: Random
  readonly #rest: readonly RestRequest[]
  readonly #graphQl: readonly GraphQlRequest[]
  readonly #soap: readonly string[]

  /** `operations`: valid operations to corrupt. */
  constructor(api: Api, operations: readonly Operation[], random: Random) {
    const present = <T>(value: T | null): T[] => (value === null ? [] : [value])
    this.#api = api
    this.#random = random
    this.#rest = operations.flatMap(one => present(toRest(api, one)))
    this.#graphQl = operations.flatMap(one => present(toGraphQl(api, one)))
    this.#soap = operations.flatMap(one => present(toSoap(api, one)))
  }

  /** `host`: the accepted Host header. */
  next(protocol: HostileProtocol, mark: string, host: string): RawRequest {
    const attack = {
      rest: () => this.#restOf(mark),
      graphql: () => this.#graphQlOf(mark),
      soap: () => this.#soapOf(mark),
    }
    return this.#raw(attack[protocol](), mark, host)
  }

  #piece(mark: string): string {
    return this.#random.pick(pieces)(mark)
  }

  #restOf(mark: string): Attack {
    const random = this.#random
    const { method, url, body = null } = random.pick(this.#rest)
    const valid: Attack = { method, path: url, type: body === null ? null : 'application/json', body }
    if (body !== null && random.chance(0.7)) return { ...valid, body: this.#corruptJson(body, mark) }
    const root = `/api/${this.#api.namespace}/1.0`
    const { segment, fields } = random.pick(this.#api.entities)
    const field = random.pick([...fields.map(({ name }) => name), '__proto__', 'constructor'])
    const piece = encoded(this.#piece(mark))
    const query = random.pick([
      `filter[${encoded(field)}][eq]=${piece}`,
      `filter[${encoded(field)}][in]=a,${piece},b`,
      `filter[${encoded(field)}][like]=${piece}%25`,
      `filter[${piece}][eq]=1`,
      `filter[${encoded(field)}][${piece}]=1`,
      `sort=${piece}`,
      `sort=-${encoded(field)},${piece}`,
      `fields=${encoded(field)},${piece}`,
      `limit=${piece}`,
      `offset=${piece}&limit=5`,
      `search=${piece}`,
      `search=${piece}&search=${piece}`,
      `${piece}=1`,
      `limit=1e9&offset=-1&search=${piece}`,
    ])
    return random.pick([
      () => ({
        ...valid,
        path: `${root}/${encoded(segment)}?${query}`,
        method: 'GET',
        body: null,
        type: null,
      }),
      () => ({ ...valid, path: `${url}${url.includes('?') ? '&' : '?'}${query}` }),
      () => ({ ...valid, path: `${root}/${encoded(segment)}/${piece}` }),
      () => ({ ...valid, path: `${root}/${piece}/${piece}` }),
      () => ({ ...valid, path: `${root}/_aggregate/${encoded(segment)}/${piece}?${query}` }),
      () => ({ ...valid, path: this.#corruptText(url, piece) }),
      () => ({ ...valid, path: `/api/${piece}/1.0/${piece}` }),
      () => ({ ...valid, method: random.pick(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) }),
    ])()
  }

  #graphQlOf(mark: string): Attack {
    const random = this.#random
    const { query, variables, field } = random.pick(this.#graphQl)
    const piece = this.#piece(mark)
    const literal = JSON.stringify(piece)
    const message = (text: string, values: unknown = variables) => JSON.stringify({ query: text, variables: values })
    const body = random.pick([
      () => message(query, JSON.parse(this.#corruptJson(JSON.stringify(variables), mark, true))),
      () => message(query, JSON.parse(this.#corruptJson(JSON.stringify(variables), mark, true))),
      () => message(query.replaceAll(/\$v\d+(?!:)/g, match => (random.chance(0.4) ? literal : match))),
      () => message(query.replace(/\{ (\w+)/, `{ ${mark}: $1`)),
      () => message(query.replace(/ (\w+)(?= \})/, ` ${mark}: $1 other_${mark}: $1`)),
      () => message(this.#corruptText(query, piece)),
      () => message(`{ ${field}(${mark}: ${literal}) { ${mark} } }`),
      () => message(`query { ${field} { records { ...${mark} } } } fragment ${mark} on Query { ...${mark} }`),
      () => message(`{ __schema { types { name ${mark}: fields { name type { ofType { name } } } } } }`),
      () => message(`{ ${Array.from({ length: 60 }, (_, at) => `${mark}${at}: ${field} { total }`).join(' ')} }`),
      () => message(`${'{ a '.repeat(random.between(2, 300))}${mark}`),
      () => message(query, { v0: { [piece]: { [piece]: piece } }, [piece]: piece }),
      () => JSON.stringify([{ query }, { query: piece }]),
      () => JSON.stringify({ query, operationName: piece, variables }),
      () => this.#corruptText(message(query), piece),
    ])()
    const path = `/graphql/${this.#api.namespace}/1.0`
    if (random.chance(0.05)) {
      return {
        method: 'GET',
        path: `${path}?query=${encoded(query)}&variables=${encoded(piece)}`,
        type: null,
        body: null,
      }
    }
    return { method: 'POST', path, type: 'application/json', body }
  }

  #soapOf(mark: string): Attack {
    const random = this.#random
    const version = random.chance(0.5)
    const space = version ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
    const type = version ? 'application/soap+xml' : 'text/xml'
    const content = random.pick(this.#soap)
    const piece = this.#piece(mark)
    const safe = piece.toWellFormed().replaceAll('\0', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const envelope = (text: string) => `<e:Envelope xmlns:e="${space}"><e:Body>${text}</e:Body></e:Envelope>`
    // Replaces text between elements.
    const replaced = () => content.replaceAll(/>[^<]+</g, match => (random.chance(0.4) ? `>${safe}<` : match))
    const body = random.pick([
      () => envelope(replaced()),
      () => envelope(replaced()),
      () => envelope(replaced()),
      () => envelope(content.replace('</', `<![CDATA[${piece.replaceAll(']]>', '')}]]></`)),
      () => envelope(this.#corruptText(content, piece)),
      () => envelope(this.#corruptText(content, `<${mark}>${safe}</${mark}>`)),
      () => envelope(this.#corruptText(content, ` a:${mark}='${safe.replaceAll("'", '')}'`)),
      () => `<!DOCTYPE x [<!ENTITY ${mark} SYSTEM "file:///etc/passwd">]>${envelope(`<x>&${mark};</x>`)}`,
      () => `<?xml version="1.0" encoding="${mark}"?>${envelope(content)}`,
      () => envelope(`<${mark}>`.repeat(random.between(2, 300))),
      () => envelope(`<a b="${safe.replaceAll('"', '')}" `.repeat(20)),
      () => envelope(content).slice(0, random.between(1, 400)),
      () => this.#corruptText(envelope(content), piece),
    ])()
    return { method: 'POST', path: `/soap/${this.#api.namespace}/1.0`, type, body }
  }

  /** `isWhole`: the result is still valid JSON. */
  #corruptJson(text: string, mark: string, isWhole = false): string {
    const random = this.#random
    const json: unknown = JSON.parse(text)
    if (!isWhole && random.chance(0.1)) return this.#corruptText(text, this.#piece(mark))
    const drawn = () => (random.chance(0.7) ? this.#piece(mark) : random.pick(odd))
    const walk = (value: unknown, depth: number): unknown => {
      if (depth > 0 && random.chance(0.3)) return drawn()
      if (Array.isArray(value)) return value.map(one => walk(one, depth + 1))
      if (typeof value !== 'object' || value === null) return random.chance(0.3) ? drawn() : value
      const pairs = Object.entries(value).map(([name, one]) => [name, walk(one, depth + 1)] as const)
      const more = random.chance(0.1) ? [[random.pick(['__proto__', this.#piece(mark)]), drawn()] as const] : []
      return Object.fromEntries([...pairs, ...more])
    }
    return JSON.stringify(walk(json, 0))
  }

  #corruptText(text: string, piece: string): string {
    const at = this.#random.between(0, text.length)
    const skipped = this.#random.chance(0.3) ? this.#random.between(0, 12) : 0
    return text.slice(0, at) + piece + text.slice(at + skipped)
  }

  #raw({ method, path, type, body }: Attack, mark: string, host: string): RawRequest {
    const random = this.#random
    const content = body === null ? null : Buffer.from(body)
    const lines = [`Host: ${host}`, ...this.#headers(mark)]
    const sent =
      type !== null && random.chance(0.03) ? random.pick(['text/plain', `a/${mark}`, `${type}; charset=${mark}`]) : type
    if (sent !== null) lines.push(`Content-Type: ${sent}`)
    if (content !== null) lines.push(`Content-Length: ${content.length}`)
    const isBroken = random.chance(0.002)
    // Replaces characters that would end the address.
    const line = `${method} ${path.toWellFormed().replaceAll(/[\r\n\0 ]/g, '+')} HTTP/1.1`
    const head = `${[isBroken ? this.#brokenLine(line, mark) : line, ...lines].join('\r\n')}\r\n\r\n`
    return {
      bytes: Buffer.concat([Buffer.from(head), ...(content === null ? [] : [content])]),
      isBroken: isBroken || !isPlain(line),
    }
  }

  #headers(mark: string): string[] {
    const random = this.#random
    if (random.chance(0.8)) return []
    const piece = this.#piece(mark)
      .toWellFormed()
      .replaceAll(/[^ -~]/g, '')
    return [
      random.pick([
        `Authorization: Bearer ${piece}`,
        `Authorization: Basic ${Buffer.from(piece).toString('base64')}`,
        `Authorization: ${piece}`,
        `Cookie: ${piece}`,
        `X-Forwarded-For: ${piece}`,
        `X-Tenant: ${piece}`,
        `Accept: ${piece}`,
        `SOAPAction: "${piece}"`,
        `User-Agent: ${piece}`,
        `If-None-Match: ${piece}`,
      ]),
    ]
  }

  #brokenLine(line: string, mark: string): string {
    return this.#random.pick([
      `${mark} ${line}`,
      line.replace('HTTP/1.1', `HTTP/9.${mark}`),
      `${line}\r\nContent-Length: ${mark}`,
      `${line}\r\nTransfer-Encoding: ${mark}`,
      `${line}\r\n${mark} : x`,
      `${line}\r\nX-Long: ${mark.padEnd(70_000, 'x')}`,
    ])
  }
}

/** Not every parser accepts other characters in an address. */
function isPlain(line: string): boolean {
  return /^[!-~]+ [!-~]+ HTTP\/1\.1$/.test(line)
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
