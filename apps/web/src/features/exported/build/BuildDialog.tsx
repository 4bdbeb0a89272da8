import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Package2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { ApiError, messageOf, whyFailed } from '../../../api/error.ts'
import { manifestQuery, validateManifest } from '../../../api/manifests.ts'
import { buildManifest, buildSettings, comparable, compareBuild } from '../../../api/packages.ts'
import { keys, queryClient, scoped } from '../../../api/query-client.ts'
import { BreaksNotice } from '../../../commands/BreaksNotice.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { Tree } from '../../../ui/Tree.tsx'
import { notify } from '../../../ui/notices.ts'
import { useDebounced } from '../../../ui/use-debounced.ts'
import styles from '../Dialogs.module.css'
import { BuildSettings } from './BuildSettings.tsx'
import {
  type BuildForm,
  type BuildNode,
  type BuildStart,
  manifestWithProblem,
  openBuild,
  sentConfiguration,
  versionProblem,
} from './build-flow.ts'

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
            <p className={styles['note']}>{`Correct the properties of ${wrong} first.`}</p>
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
            disabled={wrong === null ? problem : `Correct the properties of ${wrong} first.`}
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

/** `initial`: the suggestion of the unchanged form; undefined once the form was changed. Keeps the previous suggestion until a new one arrives. */
export function useSuggestion(
  manifestId: number,
  { configurations }: BuildForm,
  initial: BuildStart['suggestion'] | undefined,
): BuildStart['suggestion'] {
  const body = { manifestProperties: comparable([...configurations.values()].map(sentConfiguration)) }
  const debounced = useDebounced(JSON.stringify(body), 400)
  const { data } = useQuery({
    ...scoped([...keys.manifests, 'compare', manifestId, debounced], options =>
      compareBuild(manifestId, body, options),
    ),
    enabled: initial === undefined && debounced === JSON.stringify(body),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return initial === undefined ? (data ?? null) : initial
}

/** `problems`: all validation errors; the first one is the message. */
export type BuildStartStatus =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly string[] }
  | { step: 'ready'; start: BuildStart }

/** Validates the manifest and loads the data of a build. On failure it notifies and closes the dialog. */
export function useBuildStart({ id, name }: { id: number; name: string }, onClose: () => void): BuildStartStatus {
  const [status, setStatus] = useState<BuildStartStatus>({ step: 'validating' })
  const failed = useEffectEvent((error: unknown) => {
    if (error instanceof ApiError && error.status === 400)
      return setStatus({ step: 'refused', message: messageOf(error, messages.failed.validation), problems: [] })
    notify('error', messages.packages.failed.openBuild(whyFailed(error)))
    onClose()
  })
  useEffect(() => {
    const leaving = new AbortController()
    begin({ id, name }, leaving.signal)
      .then(setStatus)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) failed(error)
      })
    return () => leaving.abort()
  }, [id, name])
  return status
}

async function begin(manifest: { id: number; name: string }, signal: AbortSignal): Promise<BuildStartStatus> {
  const { message, problems } = await validateManifest(manifest.id, 'PACKAGE', { signal })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const first = message === '' ? messages.failed.validation : message
    return { step: 'refused', message: first, problems: errors.map(one => one.message).slice(1) }
  }
  const [settings, nodes] = await Promise.all([buildSettings(manifest.id, { signal }), nodesBelow(manifest)])
  const { version, takenVersions, suggestion, manifestProperties: configurations } = settings
  return { step: 'ready', start: { nodes, configurations, version, takenVersions, suggestion } }
}

/** The manifest and all below it, parents first, each once. */
async function nodesBelow(root: { id: number; name: string }): Promise<BuildNode[]> {
  const met = new Set([root.id])
  const walk = async (node: BuildNode): Promise<BuildNode[]> => {
    const { manifest } = await queryClient.fetchQuery(manifestQuery(node.id))
    const below = manifest.subManifestPaths.flatMap(({ id, name }) => {
      if (met.has(id)) return []
      met.add(id)
      return [{ id, name, level: node.level + 1 }]
    })
    return [node, ...(await Promise.all(below.map(walk))).flat()]
  }
  return walk({ ...root, level: 1 })
}
