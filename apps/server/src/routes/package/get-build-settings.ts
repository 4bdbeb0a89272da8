import { getBuildSettings } from '@cadmus/model/contract/package'
import { highestFirst, nextPatch } from '@cadmus/model/version'
import { shownSettings } from '../../commands/package/build-settings.ts'
import { checkPackageName, presentPackage, takenVersions } from '../../commands/package/request-build.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { areSettingsLight } from '../../store/answer-size.ts'
import { buildSource, packageNameOf } from './build-source.ts'
import { suggestionFor } from './suggestion.ts'

export const getBuildSettingsRoute = handle(getBuildSettings, async ({ params, query }, request) => {
  const source = await buildSource(params.id, query.manifestVersion, request)
  const { organisation, context, signal } = request
  const db = context.store.of(organisation.id)
  const packageName = packageNameOf(source, query.packageName)
  checkPackageName(packageName)
  const { manifest, frozen } = source
  const { row, builds } = await presentPackage(db, organisation.id, manifest, packageName)
  const taken = takenVersions(builds)
  const rest = {
    result: 'OK' as const,
    message: '',
    packageName: row?.name ?? packageName,
    version: nextPatch(taken),
    suggestion: await suggestionFor(builds, { source, packageName, publishAs: null, overrides: null }, request),
    takenVersions: highestFirst(taken, version => version),
  }
  const { limits: licence } = organisation
  if (await areSettingsLight(db, source))
    return { ...rest, manifestProperties: await shownSettings(db, source, licence) }
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
  const json = await context.workers.run('buildSettings', { ...place, licence }, signal)
  return new ReadyJson(json).with(rest)
})
