import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './processes.ts'

/** What was compiled for one start is there for the next: an instance takes a fifth less memory then. */
export const compiled = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/cadmus-compiled') }

type Environment = Readonly<Record<string, string | undefined>>

/** What console and instance are told so that they know each other; beside it each has the environment that is there. */
export type LocalInstance = {
  readonly url: string
  readonly console: Readonly<Record<string, string>>
  readonly instance: Readonly<Record<string, string>>
}

/**
 * The instance that `npm start` runs beside the console: its address is a hosted instance there, reached with a secret that both are given,
 * and its users sign in where the console's do. Null where the operator names hosted instances: then those are the ones.
 */
export function localInstance(environment: Environment, consoleUrl: string): LocalInstance | null {
  const set = (name: string) => (environment[name] ?? '').trim()
  if (set('CADMUS_INSTANCES') !== '') return null
  const port = set('CADMUS_INSTANCE_PORT') || '4100'
  const url = set('CADMUS_INSTANCE_PUBLIC_URL') || `http://localhost:${port}`
  const dataDir = resolve(set('CADMUS_INSTANCE_DATA_DIR') || join(set('CADMUS_DATA_DIR') || 'data', 'instance'))
  const secret = set('CADMUS_INSTANCE_SECRET') || keptSecret(dataDir)
  const allowed = [set('CADMUS_ALLOWED_INSTANCES'), url].filter(entry => entry !== '')
  return {
    url,
    console: {
      CADMUS_INSTANCES: `local=${url}`,
      CADMUS_INSTANCE_SECRET_LOCAL: secret,
      CADMUS_ALLOWED_INSTANCES: allowed.join(','),
    },
    instance: {
      CADMUS_INSTANCE_DATA_DIR: dataDir,
      CADMUS_INSTANCE_SECRET: secret,
      CADMUS_OIDC_ISSUER: set('CADMUS_OIDC_ISSUER') || `${consoleUrl}/oidc`,
    },
  }
}

/** Where browsers reach the console. */
export function consoleUrlOf(environment: Environment): string {
  const publicUrl = (environment['CADMUS_PUBLIC_URL'] ?? '').trim()
  return publicUrl === '' ? `http://localhost:${environment['CADMUS_PORT'] ?? '4000'}` : publicUrl.replace(/\/$/, '')
}

/** Made at the first start, for its owner's eyes only. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'console-secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const half = `${file}.${process.pid}`
    writeFileSync(half, randomBytes(32).toString('base64url'), { mode: 0o600 })
    renameSync(half, file)
  }
  return readFileSync(file, 'utf8').trim()
}
