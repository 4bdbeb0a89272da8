import { resolve } from 'node:path'
import { limits } from '@cadmus/model/limits'
import { isLoopbackName } from '@cadmus/model/own-host'

export type Config = {
  port: number
  host: string
  /** Null: http://localhost with the actual port. */
  publicUrl: URL | null
  dataDir: string
  usersFile: string
  /** The secret of the console that manages this instance; null without one. */
  consoleSecret: string | null
  /** The issuer of tokens for packages with the identity provider CADMUS; null without one. */
  issuer: URL | null
  /** The address of the issuer's keys; null: from its discovery document. */
  issuerKeys: URL | null
  /** `host:port` of every allowed database; null: any. */
  allowedDatabases: readonly string[] | null
  /** API requests per second of one caller; null: unlimited. */
  requestsPerSecond: number | null
  logLevel: string
}

/** Problems of the settings, one message each, for the operator. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Environment = Record<string, string | undefined>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads all settings from the environment. Throws a `ConfigError` with all problems. */
export function readConfig(environment: Environment = process.env): Config {
  const read = new Reader(environment)
  const dataDir = resolve(
    read.text('CADMUS_INSTANCE_DATA_DIR') ?? resolve(read.text('CADMUS_DATA_DIR') ?? 'data', 'instance'),
  )
  const config: Config = {
    port: read.port('CADMUS_INSTANCE_PORT', 4100),
    host: read.text('CADMUS_INSTANCE_HOST') ?? '127.0.0.1',
    publicUrl: read.origin('CADMUS_INSTANCE_PUBLIC_URL'),
    dataDir,
    usersFile: resolve(read.text('CADMUS_INSTANCE_USERS') ?? resolve(dataDir, 'users')),
    consoleSecret: read.text('CADMUS_INSTANCE_SECRET') ?? null,
    issuer: read.url('CADMUS_OIDC_ISSUER'),
    issuerKeys: read.url('CADMUS_OIDC_JWKS_URL'),
    allowedDatabases: read.list('CADMUS_ALLOWED_DATABASES'),
    requestsPerSecond: read.count('CADMUS_INSTANCE_REQUESTS_PER_SECOND'),
    logLevel: read.choice('CADMUS_LOG_LEVEL', logLevels, 'info'),
  }
  checkTogether(config, read)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/** Recommended settings for an instance that others can reach, one message each. */
export function advice({ host, publicUrl, allowedDatabases }: Config): string[] {
  const isHosted = !isLoopbackName(host) || (publicUrl !== null && !isLoopbackName(publicUrl.hostname))
  if (!isHosted || allowedDatabases !== null) return []
  return [
    'CADMUS_ALLOWED_DATABASES is not set: packages may connect to any host and port that this machine reaches. ' +
      'Name the databases that they may use, as host:port,host:port; or none for the embedded databases only.',
  ]
}

function checkTogether(config: Config, read: Reader): void {
  if (config.consoleSecret !== null && config.consoleSecret.length < limits.bootstrapTokenLength) {
    read.wrong('CADMUS_INSTANCE_SECRET', `must have at least ${limits.bootstrapTokenLength} characters.`)
  }
  for (const [name, url] of [
    ['CADMUS_OIDC_ISSUER', config.issuer],
    ['CADMUS_OIDC_JWKS_URL', config.issuerKeys],
  ] as const) {
    if (url !== null && url.protocol !== 'https:' && !isLoopbackName(url.hostname)) {
      read.wrong(name, 'must be an https:// address.')
    }
  }
}

/** Parses settings and collects problems. */
class Reader {
  readonly problems: string[] = []
  #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  wrong(name: string, what: string): void {
    this.problems.push(`${name} ${what}`)
  }

  /** Empty counts as unset. */
  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === '' ? undefined : value
  }

  /** Null if unset. */
  list(name: string): string[] | null {
    const value = this.text(name)
    if (value === undefined) return null
    return value
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== '')
  }

  port(name: string, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const port = Number(value)
    if (!/^\d+$/.test(value) || port > 65_535) this.wrong(name, 'must be a port number from 0 to 65535.')
    return port
  }

  /** A number above zero. */
  count(name: string): number | null {
    const value = this.text(name)
    if (value === undefined) return null
    if (!/^[1-9]\d{0,6}$/.test(value)) this.wrong(name, 'must be a number from 1 to 9999999.')
    return Number(value)
  }

  choice(name: string, choices: readonly string[], fallback: string): string {
    const value = this.text(name) ?? fallback
    if (!choices.includes(value)) this.wrong(name, `must be one of ${choices.join(', ')}.`)
    return value
  }

  url(name: string): URL | null {
    const value = this.text(name)
    if (value === undefined) return null
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return new URL(value)
    this.wrong(name, 'must be an http:// or https:// address.')
    return null
  }

  /** An address without a path, since the instance serves the root of its host. */
  origin(name: string): URL | null {
    const url = this.url(name)
    if (url === null) return null
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
      this.wrong(name, 'must be an address without a path, such as https://api.example.com.')
    }
    return url
  }
}
