import { holds } from '@cadmus/testing/holds'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './driver/axe.ts'
import { manifestDocument } from './driver/entity.ts'
import { startJourney, openPage } from './driver/journey.ts'
import { enter } from './driver/sign-in.ts'
import { focusText, hasFocus, keys } from './driver/keyboard.ts'
import { expectAccessible } from './driver/accessible.ts'
import {
  onboarding,
  chooseNew,
  expectInWindow,
  chooseFromProfile,
  popovers,
  signInNewcomer,
  step,
} from './driver/tours.ts'
import { expireDuring } from './driver/session.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 512, height: 384 },
] as const

const onboardingDialog = () => dialog(page, 'Onboarding')
const guidedTours = () => dialog(page, 'Guided Tours')
const wizard = () => dialog(page, 'Create Manifest')
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Closes the panel that the step 'Properties' points at with a document; the tour shows it again on request. */
async function hideAndShowTarget(): Promise<void> {
  await page.getByRole('treeitem', { name: /^Shop/ }).dblclick()
  await expectShown(manifestDocument(page, 'Shop'))
  await button('Close properties panel').click()
  await expectShown(step(page, 'Out of sight').getByText(/^The target of this step is hidden\./))
  await button('Show it again').click()
  await expectShown(button('Close properties panel'))
  await expectShown(step(page, 'Properties').getByText(/^Details of the selected document/))
  await button('Next').focus()
}

describe('The onboarding tour', () => {
  it(
    'the onboarding tour starts at the first sign-in on one page only and resumes there after a reload',
    holds('M1.25'),
    async () => {
      // The dialog requested by the address takes precedence over the tour.
      await signInNewcomer(page, '/?manifestWizard=open')
      await expectShown(wizard())
      await expect.poll(() => popovers(page).count()).toBe(0)
      await wizard().getByRole('button', { name: 'Cancel' }).click()
      await expectShown(step(page, 'Welcome to Cadmus'))
      await expect.poll(() => hasFocus(button('Next'))).toBe(true)
      await keys(page, 'Enter')
      await expectShown(step(page, 'Project Navigator'))
      await page.reload()
      await expectShown(step(page, 'Project Navigator'))
      const second = await journey.context.newPage()
      await second.goto('/')
      await expectShown(second.getByRole('treeitem', { name: /^Shop/ }))
      await second.waitForLoadState('networkidle')
      await expect.poll(() => popovers(second).count()).toBe(0)
      await second.close()
      await button('Back').click()
      await expectShown(step(page, 'Welcome to Cadmus'))
    },
  )

  it(
    'the onboarding tour has eleven steps, which Enter advances, fit any window, are announced and show a hidden target',
    holds('M1.24'),
    async () => {
      for (const [at, title] of onboarding.entries()) {
        const popover = step(page, title)
        await page.setViewportSize(sizes[(at + 1) % 3] ?? sizes[0])
        await expectInWindow(page, popover)
        await expectShown(popover.getByText(`Onboarding · ${at + 1} of 11`))
        await expect.poll(() => popover.locator('[aria-live]').textContent()).toContain(title)
        await expect.poll(() => hasFocus(button(at === 10 ? 'Finish' : 'Next'))).toBe(true)
        if (title === 'Properties') await hideAndShowTarget()
        await keys(page, 'Enter')
      }
      await page.setViewportSize(sizes[0])
    },
  )

  it(
    'the onboarding tour ends with a dialog that offers both guided tours',
    holds('M1.26', 'M1.27', 'M1.28'),
    async () => {
      await expectShown(onboardingDialog().getByRole('button', { name: 'Create Manifest Tour', exact: true }))
      expect(await violations(page)).toEqual([])
      await press(onboardingDialog(), 'Create Entity Tour')
      await expectShown(step(page, 'Open the wizard'))
      await button('Leave').click()
    },
  )

  it(
    'the onboarding tour restarts from the profile menu and the palette, and skipping it shows the final dialog',
    holds('M2.32', 'M1.26'),
    async () => {
      await chooseFromProfile(page, 'Onboarding')
      await expectShown(step(page, 'Welcome to Cadmus'))
      await expect.poll(() => hasFocus(button('Next'))).toBe(true)
      await keys(page, 'Enter')
      await expectShown(step(page, 'Project Navigator'))
      await keys(page, 'Escape')
      await expectShown(onboardingDialog().getByText('You stopped at step 2 of 11.'))
      await press(onboardingDialog(), 'Resume Onboarding')
      await expectShown(step(page, 'Project Navigator'))
      await button('Skip').click()
      await press(onboardingDialog(), 'Close')
      await onboardingDialog().waitFor({ state: 'detached' })
      await keys(page, 'Control+k')
      await page.getByRole('combobox').last().fill('Onboarding')
      await page.getByRole('option', { name: /^Onboarding/ }).click()
      await expectShown(step(page, 'Welcome to Cadmus'))
      await button('Skip').click()
    },
  )
})

describe('The Create Manifest Tour', () => {
  it(
    'the Create Manifest Tour points at New and its menu item and continues in the wizard',
    holds('M1.27', 'E1.11'),
    async () => {
      await press(onboardingDialog(), 'Create Manifest Tour')
      await expectShown(step(page, 'Open the wizard'))
      await expect.poll(() => hasFocus(button('New'))).toBe(true)
      await chooseNew(page, 'Manifest')
      await expectShown(step(page, 'Give it a name'))
      await expect.poll(() => hasFocus(wizard().getByRole('textbox', { name: 'Name' }))).toBe(true)
      await expectAccessible(page, 'tour-in-wizard')
    },
  )

  it('the Create Manifest Tour fits every window size beside the field to be filled in', async () => {
    await wizard().getByRole('textbox', { name: 'Name' }).fill('Toured')
    for (const size of [sizes[1], sizes[2], sizes[0]]) {
      await page.setViewportSize(size)
      await expectInWindow(page, step(page, 'Give it a name'))
    }
    await button('Next tip').click()
    await expectShown(step(page, 'Empty, or a copy'))
    await button('Next tip').click()
    await expectShown(step(page, 'Go on in the wizard'))
    await expect.poll(() => hasFocus(wizard().getByRole('button', { name: 'Next', exact: true }))).toBe(true)
  })

  it('the Create Manifest Tour follows the wizard steps and is hidden while a confirmation is open', async () => {
    await press(wizard(), 'Next')
    await expectShown(step(page, 'Gather its entities'))
    await wizard().getByRole('button', { name: 'Back', exact: true }).click()
    await expectShown(step(page, 'Give it a name'))
    await wizard().getByRole('textbox', { name: 'Name' }).focus()
    await keys(page, 'Escape')
    await expectShown(question(page, 'Leave without saving?'))
    await expect.poll(() => popovers(page).count()).toBe(0)
    await press(question(page, 'Leave without saving?'), 'Cancel')
    await expectShown(step(page, 'Give it a name'))
  })

  it('the Create Manifest Tour reports a closed wizard, reopens it and ends at the new manifest', async () => {
    await press(wizard(), 'Cancel')
    await expectShown(step(page, 'The wizard was closed').getByText(/^No manifest was created\./))
    await button('Open it again').click()
    await wizard().getByRole('textbox', { name: 'Name' }).fill('Toured')
    await keys(page, 'Enter')
    await expectShown(step(page, 'Gather its entities'))
    await button('Next tip').click()
    await expectShown(step(page, 'Create it'))
    await press(wizard(), 'Finish')
    await expectShown(step(page, 'This is your manifest'))
    await page.getByRole('treeitem', { name: /^Shop/ }).click()
    await expectShown(step(page, 'Something else is shown').getByText(/^Show your manifest again/))
    await button('Show it again').click()
    await expectShown(step(page, 'This is your manifest').getByText(/^It is in the navigator too/))
    await expect.poll(() => page.getByRole('tab', { name: /^Toured/ }).getAttribute('aria-selected')).toBe('true')
    await button('Finish').click()
    await expect.poll(() => popovers(page).count()).toBe(0)
  })
})

describe('Tours of screens', () => {
  it.each([
    { tour: 'Attribute Sheet Tour', name: 'Customer', of: 7, steps: [1, 2, 3, 4, 5, 6, 7] },
    { tour: 'Diagram Tour', name: 'Shop', of: 7, steps: [1, 2, 3, 4, 5, 6, 7] },
    // Nothing runs yet.
    { tour: 'Publishing Tour', name: 'Shop', of: 6, steps: [1, 2, 3, 4, 6] },
  ])('the $tour shows each of its targets in the open document', async ({ tour, name, of, steps }) => {
    for (const line of [new RegExp(`^${name}`), tour]) {
      await keys(page, 'Control+k')
      await page
        .getByRole('combobox')
        .last()
        .fill(typeof line === 'string' ? line : name)
      await page.getByRole('option', { name: line }).first().click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // The palette offers what can be done with the documents that are open when it opens.
      await expectShown(page.getByRole('article', { name: new RegExp(`${name}$`) }))
    }
    for (const at of steps) {
      await expectShown(popovers(page).getByText(`${tour} · ${at} of ${of}`))
      await expect.poll(() => popovers(page).getByRole('heading').textContent()).not.toBe('Out of sight')
      await expectInWindow(page, popovers(page))
      await button(at === of ? 'Finish' : 'Next').click()
    }
    await expect.poll(() => popovers(page).count()).toBe(0)
  })
})

describe('A tour that was left', () => {
  it(
    'the Create Manifest Tour can be resumed after a reload and is hidden after the session has expired',
    holds('E1.11'),
    async () => {
      await chooseFromProfile(page, 'Guided Tours')
      await press(guidedTours(), 'Create Manifest Tour')
      await chooseNew(page, 'Manifest')
      await expectShown(step(page, 'Give it a name'))
      await button('Next tip').focus()
      await keys(page, 'Escape')
      await expectShown(snackbar(page, 'Create Manifest Tour can be resumed: Guided Tours in your profile menu.'))
      await wizard().getByRole('button', { name: 'Cancel' }).click()
      await page.reload()
      await chooseFromProfile(page, 'Guided Tours')
      await expectShown(guidedTours().getByText('You stopped at step 2 of 8.'))
      await press(guidedTours(), 'Resume Create Manifest Tour')
      await expectShown(step(page, 'The wizard was closed').getByText(/^No manifest was created\./))
      await expireDuring(page, /^cadmus_(session|refresh)$/, () =>
        page.getByRole('treeitem', { name: /^Catalogue/ }).click(),
      )
      await expectShown(dialog(page, 'Session Expired'))
      await expect.poll(() => popovers(page).count()).toBe(0)
      expect(journey.complaints).toEqual([])
    },
  )
})

describe('In an organisation without manifests', () => {
  let page: typeof journey.page
  const guidedHere = () => dialog(page, 'Guided Tours')
  const entityTour = () => guidedHere().getByRole('button', { name: 'Create Entity Tour', exact: true })
  const needed = 'A manifest is required first: every entity belongs to one.'
  beforeAll(async () => {
    const opened = await openPage(journey.browser, journey.console.url)
    page = opened.page
    await enter(page, 'admin')
    await page.getByRole('button', { name: /Select Cadmus/ }).click()
    await expectShown(page.getByText('No manifest to display.'))
  })

  it(
    'the Create Entity Tour is disabled until a manifest exists and the dialog shows the reason',
    holds('E1.11', 'E1.13', 'E1.14', 'E2.153', 'M1.29', 'M1.30', 'M2.33'),
    async () => {
      await chooseFromProfile(page, 'Guided Tours')
      await expectShown(guidedHere().getByRole('button', { name: 'Create Manifest Tour', exact: true }))
      await expectShown(guidedHere().getByText(needed))
      await expect.poll(() => entityTour().isDisabled()).toBe(true)
      expect(await violations(page)).toEqual([])
      await keys(page, 'Escape', 'Control+k')
      await page.getByRole('combobox').last().fill('Create')
      await expectShown(page.getByRole('option', { name: /^Create Manifest Tour/ }))
      await expect.poll(() => page.getByRole('option', { name: /^Create Entity Tour/ }).count()).toBe(0)
      await keys(page, 'Escape')
    },
  )

  it(
    'the Create Manifest Tour is completed by keyboard alone and enables the Create Entity Tour',
    holds('E1.13', 'M1.29'),
    async () => {
      await keys(page, 'Control+k')
      await page.getByRole('combobox').last().fill('Create Manifest Tour')
      await page.getByRole('option', { name: /^Create Manifest Tour/ }).waitFor()
      await keys(page, 'Enter')
      const opener = page.getByRole('button', { name: 'New', exact: true })
      await expect.poll(() => hasFocus(opener)).toBe(true)
      await keys(page, 'Tab')
      await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Leave', exact: true }))).toBe(true)
      // The tour does not trap the focus.
      await keys(page, 'Tab')
      await expect.poll(() => focusText(page)).not.toMatch(/^(Leave|New)$/)
      await keys(page, 'Shift+Tab', 'Shift+Tab')
      await expect.poll(() => hasFocus(opener)).toBe(true)
      await keys(page, 'Enter')
      await page.getByRole('menuitem', { name: 'Manifest', exact: true }).waitFor()
      await keys(page, 'm', 'Enter')
      await expectShown(step(page, 'Give it a name'))
      const name = dialog(page, 'Create Manifest').getByRole('textbox', { name: 'Name' })
      await expect.poll(() => hasFocus(name)).toBe(true)
      await page.keyboard.type('First')
      await keys(page, 'ArrowLeft', 'ArrowRight', 'Enter')
      await expectShown(step(page, 'Gather its entities'))
      await keys(page, 'Control+Enter')
      await expectShown(step(page, 'This is your manifest'))
      await keys(page, 'Control+F6', 'Control+F6', 'Control+F6')
      await page.getByRole('button', { name: 'Finish', exact: true }).press('Enter')
      await chooseFromProfile(page, 'Guided Tours')
      await expect.poll(() => entityTour().isDisabled()).toBe(false)
      await expect.poll(() => guidedHere().getByText(needed).count()).toBe(0)
    },
  )

  it('the Create Entity Tour creates an entity in the real wizard', holds('E1.12', 'M1.28'), async () => {
    await entityTour().click()
    await expectShown(step(page, 'Open the wizard'))
    await chooseNew(page, 'Entity')
    await expectShown(step(page, 'New, or from the library'))
    const made = dialog(page, 'Create Entity')
    await page.getByRole('button', { name: 'Next tip', exact: true }).click()
    await expectShown(step(page, 'Name it'))
    await made.getByRole('textbox', { name: 'Name' }).fill('Customer')
    await press(made, 'Next')
    await expectShown(step(page, 'Put it into a manifest'))
    await made.getByRole('combobox').click()
    await expect.poll(() => popovers(page).count()).toBe(0)
    await page.getByRole('option', { name: /^First/ }).click()
    await expectShown(step(page, 'Put it into a manifest'))
    await press(made, 'Next')
    await expectShown(step(page, 'Add its attributes'))
    await made.getByRole('textbox', { name: 'Name' }).fill('email')
    await page.getByRole('button', { name: 'Next tip', exact: true }).click()
    await expectShown(step(page, 'Create it'))
    await press(made, 'Finish')
    await expectShown(step(page, 'This is your entity'))
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await expectShown(page.getByRole('tab', { name: /^Customer/ }))
  })

  it('the administration offers no tours', async () => {
    await page.goto('/admin')
    await page.getByRole('button', { name: /Profile of/ }).click()
    await expectShown(page.getByRole('menuitem', { name: 'Logout' }))
    await expect.poll(() => page.getByRole('menuitem', { name: /Onboarding|Guided Tours/ }).count()).toBe(0)
    await page.context().close()
  })
})
