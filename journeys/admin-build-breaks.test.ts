import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { administrationOn, enterAdministration } from './driver/administration.ts'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { hold } from './driver/document.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, pick, press } from './driver/widgets.ts'

const { page } = await startJourney({ user: 'nobody' })
await enterAdministration(page)
const acme = apiOf(page, 'ACME', 'X-Admin-Organisation')

it(
  'the build dialog validates first, lists sub-manifests below their manifest, edits properties, and Cancel builds nothing',
  holds('M2.288', 'M2.289', 'M2.293', 'M2.303'),
  async () => {
    const { requested, release } = await hold(page, /\/manifest\/\d+\/validate/, 'POST')
    await page.goto('/admin?org=ACME')
    await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
    const build = dialog(page, 'Build Manifest')
    await requested
    await expectShown(build.getByText('Validating...', { exact: true }))
    const version = build.getByRole('textbox', { name: 'Martini Package Version', exact: true })
    await expect.poll(() => Promise.all([version.count(), build.getByRole('tree').count()])).toEqual([0, 0])
    release()
    await expect.poll(() => version.inputValue()).toMatch(/^\d+\.\d+\.\d+$/)
    const nodes = build.getByRole('tree').getByRole('treeitem')
    await expect
      .poll(() => nodes.evaluateAll(all => all.map(one => [one.textContent, one.ariaLevel])))
      .toEqual([
        ['Shop', '1'],
        ['Catalogue', '2'],
      ])
    const nameOf = (row: number) => build.getByLabel(`Name of property ${row}`, { exact: true })
    const remove = (row: number) => build.getByRole('button', { name: `Delete property ${row}`, exact: true })
    await nameOf(1).fill('tier')
    await press(build, 'Add Property')
    await nameOf(2).fill('region')
    await expect.poll(() => remove(1).isDisabled()).toBe(true)
    await remove(1).click({ force: true })
    await expect.poll(() => Promise.all([1, 2].map(at => nameOf(at).inputValue()))).toEqual(['tier', 'region'])
    await remove(2).click()
    await nameOf(2).waitFor({ state: 'detached' })
    await expect.poll(() => nameOf(1).inputValue()).toBe('tier')
    await expect.poll(() => build.locator('footer').getByRole('button').allTextContents()).toEqual(['Cancel', 'Build'])
    await press(build, 'Cancel')
    await build.waitFor({ state: 'detached' })
    expect(await administrationOn(page).callApi('GET', 'org/ACME/packages')).toMatchObject({ packages: [] })
  },
)

it('breaking changes are computed from the edited build settings, not the stored ones', async () => {
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
  await expect.poll(() => reason.count()).toBe(0)
  await build.getByLabel('Connection Password', { exact: true }).fill('s3cret')
  await rest.click()
  await expectShown(reason)
  await expectShown(build.getByText('One change breaks callers of the last build.', { exact: true }))
  await rest.click()
  await reason.waitFor({ state: 'detached' })
  // Secrets do not affect breaking changes, so none are sent.
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.join('')).not.toContain('s3cret')
  await press(build, 'Cancel')
})

it(
  'the build dialog recommends a missing HSQL URL parameter and accepts either spelling of it',
  holds('M5.33'),
  async () => {
    await page.goto('/admin?org=ACME')
    await menu(page, await nodeAt(page, 'Acme Trading', 'Manifests', 'Shop'), 'Build Package')
    const build = dialog(page, 'Build Manifest')
    const url = build.getByLabel('Connection Url', { exact: true })
    const advice = build.getByRole('note').filter({
      hasText: /^Recommended for HSQL: add sql\.syntax_mys=true to the connection URL\.$/,
    })
    // The form has been validated and has the focus, which would close a dropdown.
    const version = build.getByRole('textbox', { name: 'Martini Package Version', exact: true })
    await expect.poll(() => version.inputValue()).toMatch(/^\d+\.\d+\.\d+$/)
    await expectShown(build.getByRole('treeitem').first())
    await expect.poll(() => build.locator(':focus').count()).toBe(1)
    await pick(page, build, 'Connection Type', 'HSQL')
    await expect.poll(() => url.inputValue()).toContain(';sql.syntax_mys=true')
    await expect.poll(() => advice.count()).toBe(0)
    await url.fill('jdbc:hsqldb:mem:shop')
    await expectShown(advice)
    for (const parameter of ['sql.syntax_mys=true', 'sql.syntax.mys=true']) {
      await url.fill(`jdbc:hsqldb:mem:shop;${parameter}`)
      await advice.waitFor({ state: 'detached' })
      await url.fill('jdbc:hsqldb:mem:shop')
      await expectShown(advice)
    }
    await press(build, 'Cancel')
  },
)
