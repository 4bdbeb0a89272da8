import { expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { aResolvedModel, anEntity } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { configurationSettings } from './configuration.ts'

it('Warnings: Source of Truth without a selected entity', () => {
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer' })])
  const configuration = newConfiguration('Shop')
  expect(findings(configurationSettings, resolvedModel, { configuration })).toEqual([])
  configuration.configurationBuild.serviceConfiguration.applySot = true
  const message =
    'Source of Truth is on, but no entity is selected: nothing is recorded. Select entities, or turn it off.'
  expect(findings(configurationSettings, resolvedModel, { configuration })).toEqual([
    ['warning', 'sotEmpty', message, 'Shop'],
  ])
  expect(findings(configurationSettings, resolvedModel)).toEqual([])
})
