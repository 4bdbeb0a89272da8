import { expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { aResolvedModel, aKey, anEntity } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { sotEntities } from './sot-entities.ts'

it('Errors: Source of Truth is on and lists an entity that does not exist', () => {
  const configuration = newConfiguration('Shop')
  const { serviceConfiguration } = configuration.configurationBuild
  serviceConfiguration.sotEntities = ['Customer', 'customer', 'Nope', '__proto__']
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer', typeAttributes: [aKey({ name: 'code' })] })])
  const messages = () => findings(sotEntities, resolvedModel, { configuration }).map(([, , message]) => message)
  expect(messages()).toEqual([])
  serviceConfiguration.applySot = true
  expect(messages()).toEqual([
    'The source of truth includes Nope, which is not in the manifest.',
    'The source of truth includes __proto__, which is not in the manifest.',
  ])
})
