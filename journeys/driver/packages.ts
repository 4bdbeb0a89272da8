import type { PackageBuild, PackageItem } from '@cadmus/model/contract/package'
import type { InstanceServer } from '@cadmus/testing/instance'
import type { Locator, Page } from 'playwright-core'
import { snackbar } from './widgets.ts'

/** The card of a package. */
export function card(page: Page, name: string): Locator {
  return page.getByRole('grid', { name: 'Packages' }).getByRole('row', { name, exact: true })
}

/** The names of the package cards in their order. */
export function cardNames(page: Page): Promise<string[]> {
  return page.getByRole('grid', { name: 'Packages' }).getByRole('heading').allTextContents()
}

/** A package as reported by an instance. */
export async function installedPackage({ manage }: Pick<InstanceServer, 'manage'>, name: string): Promise<unknown> {
  const { items }: { items: { name: string }[] } = await (await manage('GET', '/esbapi/packages?size=100')).json()
  return items.find(one => one.name === name)
}

/** Waits for the message that a package is built, with a long timeout because a background thread builds it. */
export async function expectBuilt(page: Page, name: string): Promise<void> {
  const timeout = 60_000
  await snackbar(page, `Package '${name}' successfully built`).waitFor({ timeout })
  // The message may belong to the previous version.
  await page
    .getByRole('progressbar', { name: `Building ${name}…`, exact: true })
    .waitFor({ state: 'detached', timeout })
}

/** A build of a package as returned by the server. */
export function buildOf(change: Partial<PackageBuild> = {}): PackageBuild {
  return {
    version: '1.0.0',
    status: 'SUCCESS',
    reason: '',
    publishAs: 'PACKAGE',
    manifestVersion: '1.0.0',
    size: 48_200,
    userName: 'Dora Designer',
    askedAt: '2026-11-26T09:00:00.000Z',
    endedAt: '2026-11-26T09:00:02.000Z',
    ...change,
  }
}

/** A package as returned by the server; `builds` in descending order of their versions. */
export function packageOf(name: string, id: number, builds: readonly PackageBuild[] = [buildOf()]): PackageItem {
  const isProcessing = builds.some(({ status }) => status === 'PROCESSING')
  return {
    id,
    userId: 'designer',
    guid: `00000000-0000-7000-8000-${String(id).padStart(12, '0')}`,
    name,
    manifestId: id,
    manifestName: name,
    manifestPath: `user-defined/${name}`,
    isDefault: false,
    status: isProcessing ? 'PROCESSING' : (builds[0]?.status ?? 'SUCCESS'),
    versions: builds.filter(({ status }) => status === 'SUCCESS').map(({ version }) => version),
    builds: [...builds],
  }
}

/** Stubs the package list and status with the current result of `packages`, for states that are transient in real builds. Undone by `page.unrouteAll()`. */
export async function servePackages(page: Page, packages: () => readonly PackageItem[]): Promise<{ lists: URL[] }> {
  const lists: URL[] = []
  await page.route(/\/1\.0\/cdm\/packages(\/status)?\?/, async (route, request) => {
    const url = new URL(request.url())
    const answer = { result: 'OK', message: '' }
    const isStatus = url.pathname.endsWith('/status')
    if (!isStatus) lists.push(url)
    const all = packages()
    if (isStatus) {
      const ids = (url.searchParams.get('packageIds') ?? '').split(',').map(Number)
      const statuses = all.filter(({ id }) => ids.includes(id)).map(({ id, status }) => ({ id, status, reason: '' }))
      return route.fulfill({ json: { ...answer, packages: statuses } })
    }
    const paging = { totalElements: all.length, size: 1000, page: 0, next: null }
    return route.fulfill({ json: { ...answer, ...paging, packages: all } })
  })
  return { lists }
}
