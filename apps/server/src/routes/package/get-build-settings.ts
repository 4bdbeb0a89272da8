import { setImmediate as nextTurn } from 'node:timers/promises'
import { getBuildSettings } from '@cadmus/model/contract/package'
import { highestFirst, nextPatch } from '@cadmus/model/version'
import { storedSettings } from '../../commands/package/build-settings.ts'
import { checkPackageName, presentPackage, takenVersions } from '../../commands/package/request-build.ts'
import { handle } from '../../http/route.ts'
import { withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { Turns } from '../../store/turns.ts'
import { buildSource, packageNameOf } from './build-source.ts'
import { suggestionFor } from './suggestion.ts'

/** Configurations may be large, and there is one of each manifest: who asks for many has others served between them. */
const oneAfterTheOther = new Turns({ slots: 1, slotsOfOne: 1, waiting: 200, waitingOfOne: 60 })

export const getBuildSettingsRoute = handle(getBuildSettings, async ({ params, query }, request) => {
  const source = await buildSource(params.id, query.manifestVersion, request)
  const { organisation, context } = request
  const db = context.store.of(organisation.id)
  const packageName = packageNameOf(source, query.packageName)
  checkPackageName(packageName)
  const { row, builds } = await presentPackage(db, organisation.id, source.manifest, packageName)
  const taken = takenVersions(builds)
  const settings = await oneAfterTheOther.run(organisation.id, async () => {
    await nextTurn()
    return storedSettings(db, source, organisation.limits)
  })
  const next = { source, packageName, settings: settings.map(({ configuration }) => configuration) }
  return {
    result: 'OK' as const,
    message: '',
    packageName: row?.name ?? packageName,
    version: nextPatch(taken),
    suggestion: await suggestionFor(builds, next, request),
    takenVersions: highestFirst(taken, version => version),
    // A version's secrets are placeholders already.
    manifestProperties: settings.map(({ configuration }) =>
      source.frozen === null ? withMarkedSecrets(configuration) : configuration,
    ),
  }
})
