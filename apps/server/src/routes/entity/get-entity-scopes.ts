import { getEntityScopes } from '@cadmus/model/contract/entity'
import { offeredScopes } from '@cadmus/model/rules/scopes'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { entityById } from '../../store/entity.ts'
import { configurationOf } from '../../store/manifest-configuration.ts'
import { manifestsWithEntity } from '../../store/manifest-members.ts'
import { manifestById } from '../../store/manifest.ts'

export const getEntityScopesRoute = handle(getEntityScopes, async ({ params }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  if (!(await entityById(db, organisation.id, params.id))) throw notFound('The entity')
  const scopes = new Set<string>()
  for (const manifestId of await manifestsWithEntity(db, organisation.id, params.id)) {
    const manifest = await manifestById(db, organisation.id, manifestId)
    if (!manifest) continue
    const { configuration } = await configurationOf(db, manifest)
    for (const scope of offeredScopes(configuration.configurationBuild.apiScopeConfiguration)) scopes.add(scope)
  }
  return { scopes: [...scopes] }
})
