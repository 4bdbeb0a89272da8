import { Download, GitCompareArrows, Hammer, KeyRound, PackageCheck, Trash2, Upload } from 'lucide-react'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { isAdministration } from '../../api/scope.ts'
import type { Command } from '../../commands/command.ts'
import type { AppContext, Named, Target } from '../../commands/context.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { type Place, registerCommand } from '../../commands/registry.ts'
import { sideWord } from '../../compare/side-code.ts'
import { navigate } from '../../navigation.ts'
import { notify } from '../../ui/notices.ts'
import { addressOfDocument, compareTab, sectionPath } from '../../workbench/address.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { savedFirst } from '../../workbench/leave.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { UploadDialogProps } from './UploadDialog.tsx'
import type { BuildDialogProps } from './build/BuildDialog.tsx'

const uploadDialog = defineDialog<Omit<UploadDialogProps, 'onClose'>>('upload-package', () =>
  import('./UploadDialog.tsx').then(module => module.UploadDialog),
)
const buildDialog = defineDialog<Omit<BuildDialogProps, 'onClose'>>('build-manifest', () =>
  import('./build/BuildDialog.tsx').then(module => module.BuildDialog),
)

type PackageTarget = Extract<Target, { kind: 'package' }>
type Entry = readonly [command: Command<AppContext>, places: readonly Place[], order: number]

export function registerPackageCommands(): void {
  for (const [command, places, order] of commands) registerCommand(command, places, order)
}

const isPackage = ({ target }: AppContext) => target.kind === 'package'

const commands: readonly Entry[] = [
  [
    {
      id: 'page.packages',
      label: 'Packages',
      icon: PackageCheck,
      visible: () => location.pathname === '/',
      run: () => navigate({ to: '/packages' }),
    },
    ['profile', 'palette'],
    870,
  ],
  [
    {
      id: 'sidebar.packages',
      label: 'Exported packages',
      icon: PackageCheck,
      visible: () => location.pathname === '/',
      run: () => workbench.getState().set({ view: 'packages', search: '', sidebarOpen: true }),
    },
    ['palette'],
    871,
  ],
  [
    {
      id: 'manifest.build',
      label: 'Build Package',
      icon: Hammer,
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest',
      run: ({ target }) => {
        if (target.kind === 'manifest') void build({ id: target.id, name: target.name })
      },
    },
    ['admin'],
    54,
  ],
  [
    {
      id: 'manifest.buildShown',
      label: 'Build Package',
      icon: Hammer,
      visible: ({ active }) => isAdministration() && active?.kind === 'manifest',
      run: ({ active }) => {
        if (active) void build({ id: active.id, name: active.name })
      },
    },
    ['palette'],
    872,
  ],
  [
    {
      id: 'package.download',
      label: 'Download',
      fullLabel: 'Download package',
      icon: Download,
      visible: isPackage,
      busy: ({ target }) => target.kind === 'package' && target.build.status === 'PROCESSING',
      disabled: notBuiltReason,
      run: context => runAction(context, 'downloadVersion'),
    },
    ['package', 'card'],
    1,
  ],
  [
    {
      id: 'package.downloadWithPassword',
      label: 'Download with password',
      fullLabel: 'Download package with password',
      icon: KeyRound,
      visible: isPackage,
      disabled: notBuiltReason,
      run: context => runAction(context, 'downloadWithPassword'),
    },
    ['package'],
    2,
  ],
  [
    {
      id: 'package.upload',
      label: 'Upload',
      fullLabel: 'Upload package',
      icon: Upload,
      visible: context => isPackage(context) && !isAdministration(),
      disabled: notBuiltReason,
      run: ({ target }) => {
        if (target.kind === 'package')
          openDialog(uploadDialog, { name: target.package.name, version: target.build.version })
      },
    },
    ['package', 'card'],
    3,
  ],
  [
    {
      id: 'package.compare',
      label: 'Compare with Now',
      fullLabel: 'Compare package with now',
      icon: GitCompareArrows,
      visible: isPackage,
      disabled: context =>
        (context.target.kind === 'package' && context.target.package.manifestId < 1 && 'The manifest was deleted.') ||
        notBuiltReason(context),
      run: ({ target }) => {
        if (target.kind === 'package') compareWithNow(target)
      },
    },
    ['package'],
    3.5,
  ],
  [
    {
      id: 'package.delete',
      label: 'Delete',
      fullLabel: 'Delete package',
      icon: Trash2,
      shortcut: 'delete',
      group: 'delete',
      danger: true,
      visible: isPackage,
      disabled: ({ target }) =>
        target.kind === 'package' && target.build.status === 'PROCESSING' && firstTexts.packages.versionBuilding,
      run: context => runAction(context, 'deleteVersion'),
    },
    ['package', 'card'],
    4,
  ],
]

async function build(manifest: Named): Promise<void> {
  const { tabs } = workbench.getState()
  if (await savedFirst(workbench, tabs, 'Build Package', firstTexts.packages.view.buildsSaved))
    openDialog(buildDialog, { manifest })
}

function notBuiltReason({ target }: AppContext): string | false {
  if (target.kind !== 'package' || target.build.status === 'SUCCESS') return false
  return target.build.status === 'FAILED' ? firstTexts.packages.notBuilt : firstTexts.packages.versionBuilding
}

function compareWithNow({ package: item, build }: PackageTarget): void {
  const before = sideWord({ kind: 'build', package: item.id, version: build.version })
  const { manifestId: id, manifestName: name, manifestPath: path } = item
  const place = { tab: compareTab, before, after: 'now' }
  // The page of packages shows no documents.
  if (location.pathname === sectionPath()) openAt({ kind: 'manifest', id, name, path }, place)
  else navigate({ to: sectionPath(), search: addressOfDocument({ kind: 'manifest', id }, place) })
}

/** Loads the action on first use, to keep it out of the first paint. */
async function runAction(
  { target }: AppContext,
  action: 'downloadVersion' | 'downloadWithPassword' | 'deleteVersion',
): Promise<void> {
  if (target.kind !== 'package') return
  const actions = await import('./actions.ts').catch(() => notify('error', firstTexts.failed.unexpected))
  await actions?.[action](target)
}
