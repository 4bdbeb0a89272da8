import type { PackageModel } from '@cadmus/model/api/package-model'
import { resolveModel } from '@cadmus/model/resolved-model'
import { newConfiguration, type Configuration } from '@cadmus/model/configuration'
import { packageModelFormat } from '@cadmus/model/api/package-model'
import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'

// For tests only: customers with orders.

export function aShop(change: (build: Configuration['configurationBuild']) => void = () => {}): PackageModel {
  const customer = anEntity({
    name: 'Customer',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'name', maxLength: 80 })),
  })
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey({ name: 'number', dataType: 'string', maxLength: 20 }),
      aTypeAttribute({ name: 'total', dataType: 'double', precision: 12, scale: 2, nullable: true }),
      aTypeAttribute({ name: 'placed', dataType: 'dateTime', format: 'date', nullable: true }),
    ),
    entityAttributes: [aRelationship(customer, { position: 3 })],
  })
  const entities = [customer, order]
  const root = aManifest({ name: 'Shop', entities: entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.sqlConfiguration.applyLimitOffset = true
  change(configuration.configurationBuild)
  const resolvedModel = resolveModel(root, {
    manifests: new Map([[root.id, root]]),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  })
  return {
    format: packageModelFormat,
    package: 'shop',
    version: '1.0.0',
    manifestVersion: '1.0.0',
    root: root.id,
    manifests: [...resolvedModel.manifests],
    entities,
    configuration,
  }
}

export const everyRecord = { filters: [], search: '', sort: [], limit: null, offset: 0 }
