import type { Configuration } from '@cadmus/model/configuration'
import type { Change, Work } from '../commands/change.ts'
import { freeze } from '../commands/versions.ts'
import { auditConfiguration } from '../commands/manifest/save-configuration.ts'
import type { Tx } from '../store/database.ts'
import { manifestById, setManifestConfiguration } from '../store/manifest.ts'
import { configurationOf, resolveNamesIn, putConfiguration } from '../store/manifest-configuration.ts'

const nextVersion = '1.1.0'

/** Version one of the example has an API with three scopes; version two adds queries. */
export async function configureShop(tx: Tx, change: Change, work: Work, manifestId: number): Promise<void> {
  await configure(tx, change, work, { manifestId, edit: withApi })
  await freeze(tx, change, work, { manifestId, version: nextVersion })
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
