import type { Configuration } from '@cadmus/model/configuration'
import { defaults } from '@cadmus/model/limits'
import { newManifestContent } from '@cadmus/model/manifest'
import { auditTexts } from '@cadmus/model/messages/audit'
import { customManifestPath } from '@cadmus/model/paths'
import { manifestCreated } from '../commands/audit.ts'
import { type Change, transact, type Work } from '../commands/change.ts'
import { insertMany } from '../commands/entity/create-entity.ts'
import { copiesOf } from '../commands/manifest/copies.ts'
import { auditConfiguration } from '../commands/manifest/save-configuration.ts'
import { freezeManifestVersion } from '../commands/versions.ts'
import type { Context } from '../context.ts'
import { listAudit } from '../store/audit-read.ts'
import type { Tx } from '../store/database.ts'
import { entitiesByIds, type NewEntity, type StoredEntity } from '../store/entity.ts'
import { libraryParts } from '../store/library-state.ts'
import { configurationOf, putConfiguration, resolveNamesIn } from '../store/manifest-configuration.ts'
import {
  countManifests,
  insertManifests,
  manifestById,
  setManifestConfiguration,
  type SubManifest,
} from '../store/manifest.ts'
import { organisationByCode } from '../store/organisation.ts'

const nextVersion = '1.1.0'

/** Version one of the example has an API with three scopes; version two adds queries. */
async function configureShop(tx: Tx, change: Change, work: Work, manifestId: number): Promise<void> {
  await configure(tx, change, work, { manifestId, edit: withApi })
  await freezeManifestVersion(tx, change, work, { manifestId, version: nextVersion })
  await configure(tx, change, work, { manifestId, edit: withQueries })
}

type Edit = { manifestId: number; edit: (build: Configuration['configurationBuild']) => void }

async function configure(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { manifestId, edit }: Edit,
): Promise<void> {
  const manifest = await manifestById(tx, organisationId, manifestId)
  if (manifest === undefined) throw new Error('The example manifest is missing.')
  const before = await configurationOf(tx, manifest)
  const next = structuredClone(before.configuration)
  edit(next.configurationBuild)
  const after = await resolveNamesIn(tx, manifest, { ...next, manifestName: manifest.name }, before.named)
  const hash = await putConfiguration(tx, organisationId, after)
  await setManifestConfiguration(tx, organisationId, manifestId, hash, actor)
  await auditConfiguration(tx, work, manifest, { before, after })
}

function withApi(build: Configuration['configurationBuild']): void {
  Object.assign(build.apiConfiguration, { type: ['REST'], security: 'OAUTH2' })
  Object.assign(build.apiScopeConfiguration, {
    enableRbac: true,
    scopeDefinitions: ['shop.read', 'shop.write', 'shop.admin'],
    globalScopes: ['shop.admin'],
  })
}

function withQueries(build: Configuration['configurationBuild']): void {
  build.apiConfiguration.excludeOperations = ['SalesOrder.salesOrderId.delete']
  build.aggregateQueries = [
    {
      name: 'revenueByStatus',
      entity: 'SalesOrder',
      columns: [
        { field: 'orderStatus', type: 'GROUPBY', alias: 'status' },
        { field: 'totalAmount', type: 'SUM', alias: 'revenue' },
        { field: 'salesOrderId', type: 'COUNT', alias: 'orders' },
      ],
    },
    {
      name: 'ratingByProduct',
      entity: 'ProductReview',
      columns: [
        { field: 'productId', type: 'GROUPBY', alias: 'productId' },
        { field: 'starRating', type: 'AVG', alias: 'averageRating' },
      ],
    },
  ]
}

const organisationCode = 'ACME'
const catalogue = {
  name: 'Catalogue',
  description: 'What the shop sells, and for how much.',
  entities: [
    'Product',
    'ProductCategory',
    'ProductCategoryAssignment',
    'PriceList',
    'PriceListItem',
    'UnitOfMeasure',
    'Currency',
  ],
}
const shop = {
  name: 'Shop',
  description: 'Customers and their orders. An example to look at and to change.',
  entities: [
    'Account',
    'Customer',
    'Contact',
    'CustomerGroup',
    'Address',
    'Country',
    'Region',
    'PaymentTerm',
    'SalesOrder',
    'SalesOrderLine',
    'ProductReview',
    'DiscountRule',
  ],
}

/** Creates the example manifest once, in an organisation without any history. */
export async function createDemoData(context: Context): Promise<void> {
  if (context.provider === null) return
  const organisation = await organisationByCode(context.store.shared, organisationCode)
  if (organisation === undefined || !(await isEmpty(context, organisation.id))) return
  const sources = await librarySources(context, [...catalogue.entities, ...shop.entities])
  if (sources.length < catalogue.entities.length + shop.entities.length) {
    context.log.warn('example manifest not created: entities missing from the library')
    return
  }
  const change: Change = {
    store: context.store,
    organisationId: organisation.id,
    actor: { userId: 'demo', userName: 'Demo data', userEmail: '' },
    isAdmin: false,
  }
  await transact(change, 2 * sources.length + 7, (tx, work) => insertDemo(tx, change, work, sources))
}

async function isEmpty({ store }: Context, organisationId: number): Promise<boolean> {
  const db = store.of(organisationId)
  if ((await countManifests(db, organisationId)) > 0) return false
  const first = { offset: 0, limit: 1, orderBy: 'at', direction: 'asc' } as const
  for (const kind of ['ENTITY', 'MANIFEST'] as const) {
    if ((await listAudit(db, organisationId, kind, first)).total > 0) return false
  }
  return true
}

/** Returns the library's entities in the order of `names`; a custom library may lack some. */
async function librarySources({ store }: Context, names: readonly string[]): Promise<StoredEntity[]> {
  const db = store.of(0)
  const ids = new Map(
    (await libraryParts(db, 'entity')).filter(part => part.hidden === 0).map(part => [part.name, part.id]),
  )
  const entities = await entitiesByIds(
    db,
    0,
    names.flatMap(name => ids.get(name) ?? []),
  )
  return names.flatMap(name => entities.get(ids.get(name) ?? -1) ?? [])
}

async function insertDemo(tx: Tx, change: Change, work: Work, sources: readonly StoredEntity[]): Promise<void> {
  const [shopId, catalogueId] = [work.next(), work.next()]
  const ownerOf = ({ name }: StoredEntity) =>
    catalogue.entities.includes(name) ? { id: catalogueId, name: catalogue.name } : { id: shopId, name: shop.name }
  const copies = keepInternalRelationships(await copiesOf(sources, ownerOf, [], work))
  await insertMany(tx, change, work, copies, () => auditTexts.example)
  const below = [{ id: catalogueId, organisationId: change.organisationId }]
  await insertExample(tx, change, work, { ...catalogue, id: catalogueId, copies, subManifests: [] })
  await insertExample(tx, change, work, { ...shop, id: shopId, copies, subManifests: below })
  await configureShop(tx, change, work, shopId)
}

/** Removes relationships to entities outside the example. */
function keepInternalRelationships(copies: readonly NewEntity[]): NewEntity[] {
  const own = new Set(copies.map(({ id }) => id))
  return copies.map(copy => {
    const entityAttributes = copy.content.entityAttributes.filter(({ associatedEntity }) =>
      own.has(associatedEntity.id),
    )
    return { ...copy, content: { ...copy.content, entityAttributes } }
  })
}

type Example = {
  id: number
  name: string
  description: string
  copies: readonly NewEntity[]
  subManifests: readonly SubManifest[]
}

async function insertExample(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { id, name, description, copies, subManifests }: Example,
): Promise<void> {
  const path = customManifestPath(name)
  const members = copies
    .filter(({ manifestId }) => manifestId === id)
    .map(copy => ({ entityId: copy.id, organisationId, type: 'EXCLUSIVE' as const }))
  const content = newManifestContent({ name, description })
  const [hash = ''] = await insertManifests(tx, organisationId, [{ id, path, content, members, subManifests }], actor)
  const thing = { id, name, path, latest_version: defaults.version }
  work.audit(manifestCreated(thing, hash, auditTexts.example))
}
