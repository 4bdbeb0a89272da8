import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { configurationSchema, type Configuration } from '@cadmus/model/configuration'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import type { PackageSource } from '../package/package-model.ts'

// Test helper: sample input for building packages.

type Parts = Configuration['configurationBuild']
type Options = {
  types?: Parts['apiConfiguration']['type']
  security?: Parts['apiConfiguration']['security']
  excluded?: readonly string[]
  sql?: Partial<Parts['sqlConfiguration']>
  services?: Partial<Parts['serviceConfiguration']>
  scopes?: Partial<Parts['apiScopeConfiguration']>
  aggregates?: Parts['aggregateQueries']
  connection?: Partial<Configuration['packageProperties']['connectionPoolInfo']>
  properties?: Configuration['packageProperties']['customProperties']
}

/** A configuration with REST, SOAP and GraphQL enabled by default. */
export function aConfiguration(options: Options = {}): Configuration {
  return configurationSchema.parse({
    manifestName: 'Shop',
    packageProperties: {
      connectionPoolInfo: { type: 'POSTGRESQL', databaseName: 'shop', username: 'keeper', ...options.connection },
      customProperties: options.properties ?? [],
    },
    configurationBuild: {
      apiConfiguration: {
        type: options.types ?? ['REST', 'SOAP', 'GRAPHQL'],
        security: options.security ?? 'NONE',
        excludeOperations: options.excluded ?? [],
      },
      sqlConfiguration: { applyLimitOffset: true, applyJoin: true, ...options.sql },
      serviceConfiguration: options.services ?? {},
      apiScopeConfiguration: options.scopes ?? {},
      aggregateQueries: options.aggregates ?? [],
    },
  })
}

/** Order lines with a key of several attributes, and shipments and others that refer to them by all. */
export function withOrderLines(shop: ResolvedModel): ResolvedModel {
  const { order, ...others } = orderLines
  // The shop has orders of its own.
  return aResolvedModel([...shop.entities, { ...order, name: 'Purchase' }, ...Object.values(others)])
}

/** Slots with a key of several attributes, in another order, and bookings that refer to another attribute of a slot. */
export function withSlots(shop: ResolvedModel): ResolvedModel {
  const keys = aList(
    aKey({ name: 'shelf', dataType: 'string', maxLength: 10 }),
    aTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date', purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'code', unique: true, maxLength: 10 }),
    aTypeAttribute({ name: 'note', nullable: true }),
  )
  const members = keys.slice(0, 2).map(({ uid, name }) => ({ uid, name, descending: false }))
  const groups = [{ uid: 'slot-key', kind: 'key' as const, name: '', members: members.toReversed() }]
  const slot = anEntity({ name: 'Slot', typeAttributes: keys, groups })
  const toSlot = aRelationship(slot, {
    associatedEntityTypeAttribute: 'code',
    foreignKeyTypeAttribute: 'slotCode',
    foreignKeyDataType: 'string',
    position: 1,
  })
  const booking = anEntity({ name: 'Booking', typeAttributes: aList(aKey()), entityAttributes: [toSlot] })
  return aResolvedModel([...shop.entities, slot, booking])
}

/** A shop with customers, orders and order items, and fields of every kind. */
export function aShop(): ResolvedModel {
  const customer = anEntity({
    name: 'Customer',
    description: 'Who buys.',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'name', maxLength: 100, description: 'As it is said.' }),
      aTypeAttribute({ name: 'email', nullable: true }),
      aTypeAttribute({ name: 'born', dataType: 'dateTime', format: 'date', nullable: true }),
      aTypeAttribute({ name: 'since', dataType: 'dateTime', nullable: true }),
      aTypeAttribute({ name: 'credit', dataType: 'double', precision: 12, scale: 2, defaultValue: '0' }),
      aTypeAttribute({ name: 'level', choices: ['gold', 'plain'], defaultValue: 'plain' }),
      aTypeAttribute({ name: 'points', dataType: 'integer', format: 'int64', nullable: true }),
      aTypeAttribute({ name: 'rating', dataType: 'double', nullable: true }),
      aTypeAttribute({ name: 'active', dataType: 'boolean', defaultValue: 'true' }),
      aTypeAttribute({ name: 'token', format: 'guid', nullable: true }),
      aTypeAttribute({ name: 'extra', dataType: 'object', nullable: true }),
      aTypeAttribute({ name: 'picture', dataType: 'object', format: 'binary', nullable: true }),
      aTypeAttribute({ name: 'opens', dataType: 'dateTime', format: 'time', nullable: true }),
    ),
  })
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'number', maxLength: 20, unique: true }),
      aTypeAttribute({ name: 'total', dataType: 'double', precision: 12, scale: 2 }),
    ),
    entityAttributes: [aRelationship(customer, { position: 9, nullable: false })],
  })
  const item = anEntity({
    name: 'Item',
    typeAttributes: aList(
      aTypeAttribute({ name: 'sku', maxLength: 30, purpose: 'identifiedBy' }),
      aTypeAttribute({ name: 'amount', dataType: 'integer', format: 'int32' }),
    ),
    entityAttributes: [aRelationship(order, { position: 9, onDelete: 'cascade' })],
  })
  return aResolvedModel([customer, order, item])
}

export function aPackageSource(overrides: Partial<PackageSource> = {}): PackageSource {
  return {
    name: 'shop',
    version: '1.0.0',
    manifestVersion: '1.0.0',
    resolvedModel: aShop(),
    configuration: aConfiguration(),
    ...overrides,
  }
}

/** The same model with different ids, as from another store. */
export function withOtherIds({ root, manifests, byId }: ResolvedModel): ResolvedModel {
  const text = (value: unknown) =>
    JSON.stringify(value).replace(/"id":(\d+)/g, (_whole, id: string) => `"id":${Number(id) + 5000}`)
  const moved = <T extends { id: number }>(all: Iterable<T>): Map<number, T> =>
    new Map([...all].map(one => JSON.parse(text(one))).map((one: T) => [one.id, one]))
  const source = { manifests: moved(manifests), entities: moved(byId.values()) }
  const manifest = source.manifests.get(root.id + 5000)
  if (!manifest) throw new Error('The root is gone.')
  return resolveModel(manifest, source)
}
