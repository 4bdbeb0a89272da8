import { listPackages } from '@cadmus/model/contract/package'
import { handle } from '../../http/route.ts'
import { packageList } from './package-answer.ts'

export const listPackagesRoute = handle(listPackages, async ({ query }, { context, organisation: { id } }) =>
  packageList(context.store.of(id), id, query),
)
