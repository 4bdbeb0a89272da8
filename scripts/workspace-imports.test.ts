import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

type Restriction = { readonly regex: string; readonly message: string }
type Override = {
  readonly files: readonly string[]
  readonly rules?: {
    readonly 'no-restricted-imports'?: readonly [string, { readonly patterns: readonly Restriction[] }]
  }
}

/** The message of the lint rule for an import in a folder of an app; undefined if it is allowed. */
function refusal(app: string, folder: string, target: string): string | undefined {
  const override = overrides().find(({ files }) => files.some(glob => foldersOf(app, glob).includes(folder)))
  const [, { patterns }] = override?.rules?.['no-restricted-imports'] ?? ['', { patterns: [] }]
  return patterns.find(({ regex }) => new RegExp(regex).test(target))?.message
}

function overrides(): readonly Override[] {
  const text = readFileSync(resolve(import.meta.dirname, '../.oxlintrc.json'), 'utf8')
  const settings: { readonly overrides: readonly Override[] } = JSON.parse(text)
  return settings.overrides
}

/** `apps/server/src/{a,b}/**` applies to the folders a and b of the server. */
function foldersOf(app: string, glob: string): string[] {
  const part = new RegExp(`^apps/${app}/src/(?:\\{([a-z,]+)\\}|([a-z]+))/\\*\\*`).exec(glob)
  return (part?.[1] ?? part?.[2] ?? '').split(',')
}

it.each([
  ['server', 'store', '../jobs/workers.ts', 'passed as an argument'],
  ['server', 'store', '../commands/change.ts', 'imports no other folder'],
  ['server', 'store', '../../context.ts', 'imports no other folder'],
  ['server', 'commands', '../../http/json.ts', 'passed by the route'],
  ['server', 'commands', '../../jobs/workers.ts', 'passed by the route'],
  ['server', 'commands', '../../auth/secret-box.ts', 'passed by the route'],
  ['server', 'auth', '../http/route.ts', 'Only routes handle requests'],
  ['server', 'jobs', '../routes/all.ts', 'Only routes handle requests'],
  ['instance', 'drivers', '../engine/errors.ts', 'import no other folder'],
  ['instance', 'drivers', '../config.ts', 'import no other folder'],
  ['instance', 'engine', '../packages/request-gate.ts', 'pass everything else'],
  ['instance', 'engine', '../protocols/protocol-host.ts', 'pass everything else'],
  ['instance', 'engine', 'pg', 'use a Driver'],
  ['instance', 'packages', '../http/errors.ts', 'log.ts'],
  ['instance', 'packages', '../protocols/protocol-host.ts', 'engine/engine.ts'],
  ['instance', 'packages', '../context.ts', 'engine/engine.ts'],
  ['instance', 'packages', 'fastify', 'handle requests'],
  ['instance', 'auth', '../protocols/protocol-host.ts', 'auth/admitted.ts'],
  ['instance', 'protocols', '../../auth/gate.ts', 'ProtocolHost'],
  ['instance', 'protocols', '../drivers/driver.ts', 'ProtocolHost'],
  ['instance', 'protocols', '../http/server.ts', 'ProtocolHost'],
  ['instance', 'protocols', '../context.ts', 'ProtocolHost'],
  ['instance', 'explorer', '../protocols/rest/calls.ts', 'ProtocolHost'],
  ['instance', 'explorer', '../packages/package-host.ts', 'ProtocolHost'],
  ['instance', 'management', '../protocols/rest.ts', 'http/server.ts'],
  ['instance', 'management', '../http/server.ts', 'http/server.ts'],
])('the lint rule of %s rejects in %s an import of %s and names the alternative', (app, folder, target, words) => {
  expect(refusal(app, folder, target)).toContain(words)
})

it.each([
  ['server', 'store', './guard.ts'],
  ['server', 'store', '../errors/api-error.ts'],
  ['server', 'commands', '../../store/entity.ts'],
  ['server', 'commands', '../change.ts'],
  ['server', 'jobs', '../commands/manifest/import-messages.ts'],
  ['server', 'jobs', '../store/jobs.ts'],
  ['instance', 'drivers', '../slots.ts'],
  ['instance', 'drivers', 'pg'],
  ['instance', 'engine', '../drivers/driver.ts'],
  ['instance', 'packages', '../engine/engine.ts'],
  ['instance', 'packages', '../drivers/connection-url.ts'],
  ['instance', 'auth', 'fastify'],
  ['instance', 'protocols', './rest/calls.ts'],
  ['instance', 'protocols', '../auth/admitted.ts'],
  ['instance', 'protocols', '../../http/errors.ts'],
  ['instance', 'explorer', '../auth/gate.ts'],
  ['instance', 'management', '../context.ts'],
  ['instance', 'management', '../packages/status.ts'],
])('the lint rule of %s allows %s to import %s', (app, folder, target) => {
  expect(refusal(app, folder, target)).toBeUndefined()
})

it.each([
  ['server', ['routes', 'store', 'commands', 'auth', 'jobs', 'library', 'demo', 'remote']],
  ['instance', ['drivers', 'engine', 'packages', 'auth', 'protocols', 'explorer', 'management']],
])('the lint rules of %s cover all folders', (app, folders) => {
  const ruled = overrides().flatMap(({ files }) => files.flatMap(glob => foldersOf(app, glob)))
  expect(folders.filter(folder => !ruled.includes(folder))).toEqual([])
})
