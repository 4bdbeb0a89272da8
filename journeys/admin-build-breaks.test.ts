import { expect, it } from 'vitest'
import { enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { expectClean } from './driver/sight.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'

const { page } = await openDesk({ user: 'nobody' })
await enterAdministration(page)
const acme = apiOf(page, 'ACME', 'X-Admin-Organisation')

it('what a build would break is that of the settings as they are, not of those that are stored', async () => {
  await acme.build(await acme.manifestNamed('Shop'))
  const sent: string[] = []
  page.on('request', request => {
    if (request.url().includes('/compare-build')) sent.push(request.postData() ?? '')
  })
  await page.goto('/admin?org=ACME')
  await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
  const build = dialog(page, 'Build Manifest')
  const rest = build.getByRole('checkbox', { name: 'REST API' })
  const reason = build.getByText('REST is no longer served.', { exact: true })
  await expectShown(rest)
  expect(await reason.count()).toBe(0)
  await build.getByLabel('Connection Password', { exact: true }).fill('s3cret')
  await rest.click()
  await expectShown(reason)
  await expectShown(build.getByText('One change breaks callers of the last build.', { exact: true }))
  await expectClean(page, 'build-breaks')
  await rest.click()
  await reason.waitFor({ state: 'detached' })
  // What is secret is not asked about.
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.join('')).not.toContain('s3cret')
  await press(build, 'Cancel')
})
