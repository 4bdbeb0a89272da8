import { getPackageStatus } from '@cadmus/model/contract/package'
import { handle } from '../../http/route.ts'
import { buildsOf } from '../../store/package-version.ts'
import { stateOf } from './package-answer.ts'

export const getPackageStatusRoute = handle(
  getPackageStatus,
  async ({ query: { packageIds } }, { context, organisation: { id: organisationId } }) => {
    const builds = await buildsOf(context.store.of(organisationId), organisationId, packageIds)
    const packages = [...builds].flatMap(([id, own]) => (own.length === 0 ? [] : [{ id, ...stateOf(own) }]))
    return { result: 'OK' as const, message: '', packages }
  },
)
