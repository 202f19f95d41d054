// Stock Uppy with its tus plugin in Node. Argument: JSON {modules, endpoint, token, file, filename, chunkSize, parallelUploads}.
// `holdAfter`: once so many bytes are on their way, wait for a line on standard input before anything else is sent.
// Says {what: "success", value: upload URL} or {what: "error", value} as one JSON line.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const options = JSON.parse(process.argv[2])
const resolve = createRequire(`${options.modules}/`).resolve
const load = (name) => import(pathToFileURL(resolve(name)).href)
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`)

const { default: Uppy } = await load('@uppy/core')
const { default: Tus } = await load('@uppy/tus')

// In Node the tus client takes buffers, not blobs; Uppy itself asks only for a size.
const data = fs.readFileSync(options.file)
data.size = data.length

const uppy = new Uppy({ autoProceed: false }).use(Tus, {
  endpoint: options.endpoint,
  chunkSize: options.chunkSize,
  headers: { Authorization: `Bearer ${options.token}` },
  retryDelays: Array(400).fill(500),
  parallelUploads: options.parallelUploads ?? 1,
})
uppy.on('upload-progress', (_file, progress) => {
  if (!options.holdAfter || progress.bytesUploaded < options.holdAfter) return
  options.holdAfter = 0
  say('held', progress.bytesUploaded)
  fs.readSync(0, Buffer.alloc(1))
})
uppy.addFile({ name: options.filename, type: 'video/mp4', data, meta: { filename: options.filename } })
const result = await uppy.upload()
if (result.failed.length) say('error', String(result.failed[0].error))
else say('success', result.successful[0].uploadURL)
process.exit(result.failed.length ? 1 : 0)
