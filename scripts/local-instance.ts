import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './processes.ts'

/** Compile cache shared by all starts, which saves a fifth of the memory of an instance. */
export const compiled = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/cadmus-compiled') }

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that connect console and instance, in addition to the environment of each. */
export type LocalInstance = {
  readonly url: string
  readonly console: Readonly<Record<string, string>>
  readonly instance: Readonly<Record<string, string>>
}

/**
 * The instance that `npm start` runs beside the console: the console hosts it with a shared secret, and its users sign
 * in at the console. Null if the operator configures hosted instances instead.
 */
export function localInstance(environment: Environment, consoleUrl: string): LocalInstance | null {
  const set = (name: string) => (environment[name] ?? '').trim()
  if (set('CADMUS_INSTANCES') !== '') return null
  const port = set('CADMUS_INSTANCE_PORT') || '4100'
  const url = set('CADMUS_INSTANCE_PUBLIC_URL') || `http://localhost:${port}`
  const dataDir = resolve(set('CADMUS_INSTANCE_DATA_DIR') || join(set('CADMUS_DATA_DIR') || 'data', 'instance'))
  const secret = set('CADMUS_INSTANCE_SECRET') || readOrCreateSecret(dataDir)
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

/** The address of the console for browsers. */
export function consoleUrlOf(environment: Environment): string {
  const publicUrl = (environment['CADMUS_PUBLIC_URL'] ?? '').trim()
  return publicUrl === '' ? `http://localhost:${environment['CADMUS_PORT'] ?? '4000'}` : publicUrl.replace(/\/$/, '')
}

/** The secret is created at the first start, readable only by its owner. */
function readOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, 'console-secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 })
    renameSync(temporary, file)
  }
  return readFileSync(file, 'utf8').trim()
}
