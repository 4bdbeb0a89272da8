import { configurationExcess, newConfiguration, type Configuration } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { parseLicence } from '@cadmus/model/licence'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { configurationProblems } from '@cadmus/model/rules/configuration'
import { removedScope, usedScopes } from '@cadmus/model/rules/scopes'
import { forbidden, invalid } from '../../errors/api-error.ts'
import { manifestsBelow, memberIds } from '../../store/resolved-rows.ts'
import type { Db } from '../../store/database.ts'
import { scopesOfEntities } from '../../store/entity-scopes.ts'
import type { ManifestRow } from '../../store/manifest.ts'

/** 400 for problems of a configuration by itself or with the licence. Problems already in `before` are accepted. */
export function checkConfiguration(configuration: Configuration, licence: string, before?: Configuration): void {
  checkSize(configuration)
  const context = { licence: parseLicence(licence) }
  const accepted = new Set(before && configurationProblems(before, context).map(problem => problem.message))
  const problems = configurationProblems(configuration, context).filter(problem => !accepted.has(problem.message))
  const [first] = problems
  if (first !== undefined) throw invalid(first.message, problems)
}

/** 400 for lists that exceed their limits after a merge. */
export function checkMerged(configuration: Configuration): void {
  const excess = configurationExcess(configuration)
  if (excess[0] !== undefined) throw invalid(excess[0].message, excess)
}

/** 400 for a configuration too large as a whole, even if each field is within its limit. */
export function checkSize(configuration: Configuration): void {
  const size = JSON.stringify(configuration).length
  if (size <= limits.configurationContent) return
  const message = messages.configurationTooLarge(limits.configurationContent, size)
  throw invalid(message, [{ path: '', message }])
}

/** 403 for service options set without permission; existing options are kept and may be turned off. */
export function checkServiceOptions({ before, after }: { before: Configuration; after: Configuration }): void {
  const { serviceConfiguration: requested } = after.configurationBuild
  const allowed = [before, newConfiguration('')].map(
    ({ configurationBuild }) => configurationBuild.serviceConfiguration,
  )
  if (!allowed.some(one => isEqual(one, requested))) throw forbidden(messages.serviceOptions)
}

/** 400 for removing a scope in use by global scopes or by an entity of the manifest or a sub-manifest. */
export async function checkRemovedScopes(
  db: Db,
  manifest: ManifestRow,
  { before, after }: { before: Configuration; after: Configuration },
): Promise<void> {
  const { scopeDefinitions, globalScopes } = after.configurationBuild.apiScopeConfiguration
  const remaining = new Set(scopeDefinitions)
  const removed = before.configurationBuild.apiScopeConfiguration.scopeDefinitions.filter(
    scope => !remaining.has(scope),
  )
  if (removed.length === 0) return
  const { organisation_id: organisationId } = manifest
  const ids = await memberIds(db, organisationId, await manifestsBelow(db, organisationId, manifest))
  const entities = await scopesOfEntities(db, organisationId, ids)
  const used = usedScopes({ globalScopes, entities })
  const path = 'configurationBuild.apiScopeConfiguration.scopeDefinitions'
  const errors = removed.flatMap(scope => {
    const message = removedScope(scope, used)
    return message === undefined ? [] : [{ path, message }]
  })
  if (errors[0] !== undefined) throw invalid(errors[0].message, errors)
}
