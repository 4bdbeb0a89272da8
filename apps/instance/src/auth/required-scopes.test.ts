import { packageModelFormat, type PackageModel } from '@cadmus/model/api/package-model'
import { apiTypes, newConfiguration, securities } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { defaultOperations, exclusionOf } from '@cadmus/model/operations'
import { accessOf, admits, apiOperations, scopesRequired } from '@cadmus/model/required-scopes'
import { aKey, aList, aManifest, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { apiOf } from '@cadmus/sql/api-of'
import type { FastifyRequest } from 'fastify'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HttpError } from '../http-error.ts'
import { type Authenticators, admit } from './gate.ts'

const some = fc.subarray(['read', 'write', 'all'])

const entity = fc.record({
  hasKey: fc.boolean(),
  operationScopes: fc.record({
    selectOperationScopes: some,
    selectAllOperationScopes: some,
    deleteOperationScopes: some,
    insertOperationScopes: some,
    updateOperationScopes: some,
  }),
})

const settings = fc.record({
  type: fc.subarray([...apiTypes]),
  security: fc.constantFrom(...securities),
  enableRbac: fc.boolean(),
  globalScopes: fc.oneof(fc.constant([]), some),
  /** Whether each of ten operations is excluded, in lower case. */
  excluded: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
})

it('the scopes shown for an operation are those that an instance requires, for any configuration', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(entity, entity), settings, some, async (shapes, chosen, held) => {
      const entities = shapes.map(({ hasKey, operationScopes }, index) =>
        anEntity({
          name: ['Customer', 'Order'][index]!,
          typeAttributes: aList(...(hasKey ? [aKey()] : []), aTypeAttribute({ name: 'note' })),
          operationScopes,
        }),
      )
      const model = modelOf(entities, chosen)
      const api = apiOf(model)
      const access = accessOf(model.configuration.configurationBuild)
      for (const [index, { name, operationScopes }] of entities.entries()) {
        const primaryKey = shapes[index]?.hasKey ? 'id' : null
        for (const operation of apiOperations) {
          const shown = scopesRequired({ name, primaryKey, operationScopes }, operation, access)
          const served = api.entities.find(one => one.name === name)?.operations[operation] !== undefined
          const isServed = served && api.protocols.length > 0
          expect(shown.kind === 'unserved').toBe(!isServed)
          if (shown.kind === 'unserved') continue
          const answer = await answerOf(() =>
            admit(callerWith(held), requests[chosen.security], api, { entity: name, operation }),
          )
          expect(answer).toBe(admits(shown, new Set(held)) ? 200 : 403)
          expect(await answerOf(() => admit(callerWith(held), requestOf(), api, { entity: name, operation }))).toBe(
            admits(shown, null) ? 200 : 401,
          )
        }
      }
    }),
    { numRuns: 60 },
  )
})

type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never

function modelOf(entities: readonly EntityNode[], chosen: Settings): PackageModel {
  const root = aManifest({ name: 'Shop', entities: entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  const configuration = newConfiguration('Shop')
  const { apiConfiguration, apiScopeConfiguration } = configuration.configurationBuild
  const exclusions = entities.flatMap(({ name }) => defaultOperations(name, 'id').map(exclusionOf))
  Object.assign(apiConfiguration, {
    type: chosen.type,
    security: chosen.security,
    excludeOperations: exclusions.filter((_, index) => chosen.excluded[index]).map(text => text.toLowerCase()),
  })
  Object.assign(apiScopeConfiguration, {
    enableRbac: chosen.enableRbac,
    identityProvider: 'MARTINI_USER_DIRECTORY',
    scopeDefinitions: ['read', 'write', 'all'],
    globalScopes: chosen.globalScopes,
  })
  return {
    format: packageModelFormat,
    package: 'acme-shop',
    version: '1.2.3',
    manifestVersion: '1.0.0',
    root: root.id,
    manifests: [root],
    entities: [...entities],
    configuration,
  }
}

const login = Buffer.from('ann:secret').toString('base64')
const requestOf = (authorization?: string) => ({ ip: '::1', headers: { authorization } }) as unknown as FastifyRequest
const requests = { NONE: requestOf(), BASIC: requestOf(`Basic ${login}`), OAUTH2: requestOf('Bearer token') }

function callerWith(groups: readonly string[]): Authenticators {
  const user = { name: 'ann', hash: '', groups, tenant: null }
  return {
    credentials: { verify: async () => user },
    tokens: { read: () => user },
    issuer: null,
  } as unknown as Authenticators
}

async function answerOf(call: () => unknown): Promise<number> {
  try {
    await call()
    return 200
  } catch (failure) {
    if (failure instanceof HttpError) return failure.status
    throw failure
  }
}
