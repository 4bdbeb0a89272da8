import type { Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { Package2 } from 'lucide-react'
import { useState } from 'react'
import { ApiError, messageOf } from '../../../api/error.ts'
import { buildManifest } from '../../../api/packages.ts'
import { BreaksNotice } from '../../../commands/BreaksNotice.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { notify } from '../../../ui/notices.ts'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { Tree } from '../../../ui/Tree.tsx'
import {
  manifestWithProblem,
  openBuild,
  sentConfiguration,
  versionProblem,
  type BuildNode,
  type BuildStart,
} from './build-flow.ts'
import { BuildSettings } from './BuildSettings.tsx'
import { useBuildStart } from './use-build-start.ts'
import { useSuggestion } from './use-suggestion.ts'
import styles from '../Dialogs.module.css'

export type BuildDialogProps = { manifest: { id: number; name: string }; onClose: () => void }

/** Build Manifest: validates, then offers the version and the settings of each manifest. */
export function BuildDialog({ manifest, onClose }: BuildDialogProps) {
  const start = useBuildStart(manifest, onClose)
  if (start.step === 'ready') return <Build manifest={manifest} start={start.start} onClose={onClose} />
  const isRefused = start.step === 'refused'
  return (
    <Dialog
      title="Build Manifest"
      description={manifest.name}
      width={isRefused ? 640 : 880}
      onClose={onClose}
      footer={<CloseButton label={isRefused ? 'Close' : 'Cancel'} />}
    >
      {isRefused ? (
        <Refused message={start.message} problems={start.problems} />
      ) : (
        <ProgressBar label={messages.prompts.validating} done={null} />
      )}
    </Dialog>
  )
}

function Refused({ message, problems }: { message: string; problems: readonly string[] }) {
  return (
    <>
      <Alert>{message}</Alert>
      {problems.length > 0 && (
        <ul className={styles['problems']} aria-label="Further errors">
          {problems.map((problem, index) => (
            <li key={`${index} ${problem}`}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  )
}

type BuildProps = BuildDialogProps & { start: BuildStart }

function Build({ manifest, start, onClose }: BuildProps) {
  const [first] = useState(() => openBuild(start))
  const [form, setForm] = useState(first)
  const [shown, setShown] = useState(start.nodes[0] ?? { ...manifest, level: 1 })
  const [building, setBuilding] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const problem = versionProblem(form.version, start.takenVersions)
  const wrong = manifestWithProblem(form)
  const configuration = form.configurations.get(shown.name)
  const suggestion = useSuggestion(manifest.id, form, form === first ? start.suggestion : undefined)

  function change(next: Configuration) {
    setRefused(null)
    setForm(now => ({ ...now, configurations: new Map(now.configurations).set(next.manifestName, next) }))
  }

  function changeVersion(version: string) {
    setRefused(null)
    setForm(now => ({ ...now, version }))
  }

  async function build() {
    setBuilding(true)
    setRefused(null)
    const manifestProperties = [...form.configurations.values()].map(sentConfiguration)
    try {
      await buildManifest(manifest.id, { version: form.version, manifestProperties, customBuild: true })
      notify('success', messages.packages.manifestBuilt(manifest.name))
      onClose()
    } catch (failure) {
      const errors = failure instanceof ApiError ? failure.errors.map(({ message }) => message) : []
      setRefused(errors.length > 0 ? errors.join('\n') : null)
      notify('error', messageOf(failure, messages.packages.failed.buildManifest))
      setBuilding(false)
    }
  }

  return (
    <Dialog
      title="Build Manifest"
      description={manifest.name}
      width={880}
      onClose={onClose}
      busy={building}
      entered={form !== first}
      error={refused}
      footer={
        <>
          {wrong !== null && wrong !== shown.name && (
            <p className={styles['note']}>{`Look at the properties of ${wrong}.`}</p>
          )}
          {wrong === null && problem !== null && (
            // The field may be scrolled out of view.
            <p className={styles['note']}>{messages.packages.view.versionAbove}</p>
          )}
          {wrong === null && problem === null && suggestion && suggestion.version !== form.version && (
            // The breaking setting may be scrolled out of view.
            <output className={styles['note']}>{messages.packages.view.breaksBelow(suggestion.reasons.length)}</output>
          )}
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            busy={building}
            disabled={wrong === null ? problem : `Look at the properties of ${wrong}.`}
            onClick={() => void build()}
          >
            Build
          </Button>
        </>
      }
    >
      <div className={styles['panes']}>
        <Manifests nodes={start.nodes} shown={shown} onShow={setShown} />
        <section className={styles['pane']} aria-label="Build settings" tabIndex={-1}>
          <TextField
            label="Martini Package Version"
            required
            placeholder="Enter the build version of package."
            mono
            value={form.version}
            error={problem}
            disabled={building}
            onChange={changeVersion}
          />
          {suggestion && suggestion.version !== form.version && (
            <BreaksNotice {...suggestion} disabled={building} onTake={changeVersion} />
          )}
          {configuration && (
            <BuildSettings
              key={shown.id}
              manifest={shown}
              configuration={configuration}
              disabled={building}
              onChange={change}
            />
          )}
        </section>
      </div>
    </Dialog>
  )
}

type ManifestsProps = { nodes: readonly BuildNode[]; shown: BuildNode; onShow: (node: BuildNode) => void }

/** The manifest and those below it; selects whose settings are shown. */
function Manifests({ nodes, shown, onShow }: ManifestsProps) {
  return (
    <div className={styles['tree']}>
      <Tree
        label="Manifests of the build"
        rows={nodes.map(({ id, name, level }, index) => ({
          id: String(id),
          level,
          label: name,
          kind: 'node' as const,
          icon: Package2,
          expanded: null,
          posInSet: index + 1,
          setSize: nodes.length,
        }))}
        selected={String(shown.id)}
        onToggle={() => undefined}
        onOpen={id => {
          const node = nodes.find(one => String(one.id) === id)
          if (node) onShow(node)
        }}
        onMore={() => undefined}
        entriesFor={() => []}
      />
    </div>
  )
}
