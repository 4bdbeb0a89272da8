import { expect, it } from 'vitest'
import { expectStep } from './driver/blueprint.ts'
import { manifestDocument } from './driver/entity.ts'
import { type Hand, inAtMost } from './driver/hand.ts'
import { startJourneyWithInstance } from './driver/journey.ts'
import { hasFocus } from './driver/keyboard.ts'
import { dialog, dismissMessages, expectShown, snackbar } from './driver/widgets.ts'

const { page, context, console: server } = await startJourneyWithInstance({ fresh: true })
const { instance } = server
const wizard = dialog(page, 'Build Package')
const button = (name: string) => wizard.getByRole('button', { name, exact: true })

const model = (name: string) => `Table ${name}Ward {
  id integer [pk]
  beds integer
}
Table ${name}Patient {
  id integer [pk]
  fullName varchar(80)
  wardId integer [ref: > ${name}Ward.id]
}
`

/** Shows Home, where the text of a model is pasted; returns the wizard of the new manifest. */
async function pasteModel(hand: Hand, name: string) {
  await page.goto('/')
  await page.getByRole('link', { name: 'Cadmus', exact: true }).click()
  await expectShown(page.getByRole('heading', { name: 'Home' }))
  await hand.paste(model(name))
  const creating = dialog(page, 'Create Manifest')
  await expect.poll(() => hasFocus(creating.getByLabel('Name'))).toBe(true)
  await hand.type(name)
  return creating
}

async function expectRunning(name: string) {
  await expectShown(manifestDocument(page, name).getByText('Started on local 1.0.0', { exact: true }))
  const answer = await fetch(`${instance.url}/api/${name}/1.0/openapi.json`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain(`${name}Patient`)
}

it('by mouse, a model pasted on Home becomes a running API in at most 13 actions', async () => {
  await inAtMost(page, 13, async hand => {
    const creating = await pasteModel(hand, 'Clinic')
    await hand.click(creating.getByRole('button', { name: 'Finish', exact: true }))
    await hand.click(page.getByRole('button', { name: 'Create 2 Entities' }))
    await expectShown(page.getByText('In step with the model.'))
    const build = page.getByRole('toolbar', { name: 'Manifest' }).getByRole('button', { name: 'Build Package' })
    await hand.click(build)
    await expectStep(wizard, 'Publish / Export')
    await hand.click(wizard.getByRole('radio', { name: 'Publish', exact: true }))
    await hand.click(button('Next'))
    await hand.click(button('Use local'))
    await expectStep(wizard, 'API or schema')
    await hand.click(wizard.getByRole('checkbox', { name: 'REST', exact: true }))
    await hand.click(button('Next'))
    await hand.click(button('Use embedded'))
    await expectStep(wizard, 'Connection Details')
    await hand.click(button('Go to Summary'))
    await expectStep(wizard, 'Summary')
    await hand.click(button('Generate'))
    await wizard.waitFor({ state: 'detached', timeout: 60_000 })
    await expectShown(snackbar(page, "Package 'Clinic' successfully published"))
    await hand.click(page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Start' }))
    await expectShown(snackbar(page, "Package 'Clinic' 1.0.0 is started."))
  })
  await expectRunning('Clinic')
})

it('by keyboard alone, a model pasted on Home becomes a running API in at most 14 actions', async () => {
  await dismissMessages(page)
  const focused = async (name: string) => {
    await expect.poll(() => hasFocus(wizard.getByRole('radio', { name }))).toBe(true)
  }
  await inAtMost(page, 14, async hand => {
    await pasteModel(hand, 'Surgery')
    await hand.press('Enter')
    await expectShown(page.getByRole('button', { name: 'Create 2 Entities' }))
    await hand.press('Alt+Enter')
    await expectShown(page.getByText('In step with the model.'))
    await expectShown(page.getByRole('toolbar', { name: 'Manifest' }).getByRole('button', { name: 'Build Package' }))
    await hand.press('Alt+p')
    await expectStep(wizard, 'Publish / Export')
    await focused('Publish')
    await hand.press('Enter')
    await expectStep(wizard, 'Publish Target')
    await focused('Self-managed instance')
    await expectShown(button('Use local'))
    await hand.press('Tab', 'Enter')
    await expectStep(wizard, 'API or schema')
    const rest = wizard.getByRole('checkbox', { name: 'REST', exact: true })
    await expect.poll(() => hasFocus(rest)).toBe(true)
    await hand.press('Space')
    await expect.poll(() => rest.getAttribute('aria-checked')).toBe('true')
    await hand.press('Enter')
    await expectStep(wizard, 'Database Connection')
    await focused('New database')
    await expectShown(button('Use embedded'))
    await hand.press('Tab', 'Enter')
    await expectStep(wizard, 'Connection Details')
    await expectShown(button('Go to Summary'))
    await hand.press('Control+Shift+Enter')
    await expectStep(wizard, 'Summary')
    await hand.press('Control+Enter')
    await wizard.waitFor({ state: 'detached', timeout: 60_000 })
    await expectShown(manifestDocument(page, 'Surgery').getByText('Loaded on local 1.0.0', { exact: true }))
    await hand.press('Alt+a')
    await expectShown(snackbar(page, "Package 'Surgery' 1.0.0 is started."))
  })
  await expectRunning('Surgery')
})

it('the explorer of a running package opens by one click or one key', async () => {
  const address = `${instance.url}/api-explorer?package=Surgery`
  const opened = async (open: (hand: Hand) => Promise<void>) => {
    const shown = context.waitForEvent('page')
    await inAtMost(page, 1, open)
    const explorer = await shown
    await explorer.waitForURL(address)
    await explorer.close()
  }
  await expectShown(manifestDocument(page, 'Surgery').getByRole('link', { name: 'API explorer' }))
  await opened(hand => hand.press('Alt+a'))
  await page.getByRole('link', { name: 'Cadmus', exact: true }).click()
  const item = page.getByRole('region', { name: 'Running', exact: true }).getByRole('listitem')
  const link = item
    .filter({ has: page.getByRole('link', { name: 'Package Surgery' }) })
    .getByRole('link', { name: 'API explorer' })
  await opened(hand => hand.click(link.first()))
})
