// Stock tus-js-client in Node. Argument: JSON {library, endpoint, token, file, filename, chunkSize, cutAfter, ...}.
// `cutAfter`: the first connection goes through a proxy that drops it after so many bytes.
// `stallAfter`: through a proxy that holds back what comes after so many bytes for `stallMs`, once a connection.
// `parallelUploads`: so many parts at once, put together at the end. `deferred`: a stream whose length is said last.
// `terminate`: end the upload once its first chunk is kept. `holdAfter`: once so many bytes are accepted, wait for a line on
// standard input before anything else is sent. Each thing that happens is one JSON line on standard output.
'use strict'
const fs = require('node:fs')
const net = require('node:net')
const { PassThrough } = require('node:stream')

const options = JSON.parse(process.argv[2])
const tus = require(options.library)
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`)

function startStallingProxy(target, stallAfter, stallMs) {
  const server = net.createServer((from) => {
    const to = net.connect(target.port, target.hostname)
    let passed = 0
    let mayStall = true
    from.on('data', (part) => {
      passed += part.length
      if (!mayStall || passed <= stallAfter) return to.write(part)
      mayStall = false
      // One byte is still to come, so the body has not ended.
      to.write(part.subarray(0, -1))
      from.pause()
      say('stalled', passed)
      setTimeout(() => {
        to.write(part.subarray(-1))
        from.resume()
      }, stallMs)
    })
    to.on('data', (part) => from.write(part))
    for (const [one, other] of [[from, to], [to, from]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

function startProxy(target, cutAfter) {
  let mayCut = true
  const server = net.createServer((from) => {
    const to = net.connect(target.port, target.hostname)
    let passed = 0
    from.on('data', (part) => {
      passed += part.length
      to.write(part)
      if (mayCut && passed > cutAfter) {
        mayCut = false
        say('cut', passed)
        to.destroy()
        from.destroy()
      }
    })
    to.on('data', (part) => from.write(part))
    for (const [one, other] of [[from, to], [to, from]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

async function main() {
  const endpoint = new URL(options.endpoint)
  let proxy = null
  if (options.cutAfter || options.stallAfter) {
    const target = { hostname: endpoint.hostname, port: endpoint.port }
    proxy = options.cutAfter
      ? await startProxy(target, options.cutAfter)
      : await startStallingProxy(target, options.stallAfter, options.stallMs)
    endpoint.port = String(proxy.address().port)
  }
  let source = options.parallelUploads ? fs.readFileSync(options.file) : fs.createReadStream(options.file)
  // A file's own stream is sent by its size, known or not: only another stream has an end to be found.
  if (options.deferred) source = source.pipe(new PassThrough())
  const upload = new tus.Upload(source, {
    parallelUploads: options.parallelUploads ?? 1,
    uploadLengthDeferred: options.deferred ?? false,
    endpoint: endpoint.href,
    chunkSize: options.chunkSize,
    uploadSize: options.deferred || options.parallelUploads ? null : fs.statSync(options.file).size,
    retryDelays: options.retryDelays ?? [100, 1000, 3000, 5000],
    headers: { Authorization: `Bearer ${options.token}` },
    metadata: { filename: options.filename, filetype: 'video/mp4', language: 'en-US' },
    onShouldRetry: (error, attempt) => {
      say('retry', { attempt, status: error.originalResponse?.getStatus() ?? null })
      const status = error.originalResponse?.getStatus() ?? 0
      return status < 400 || status >= 500 || status === 409 || status === 423
    },
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD') say('resumed', Number(response.getHeader('Upload-Offset')))
    },
    onChunkComplete: async (_size, accepted) => {
      say('chunk', accepted)
      holdOnce(accepted)
      if (options.terminate) {
        await upload.abort(true)
        say('terminated', upload.url)
        process.exit(0)
      }
    },
    onError: (error) => {
      say('error', String(error))
      process.exit(1)
    },
    onSuccess: () => {
      say('success', upload.url)
      proxy?.close()
      process.exit(0)
    },
  })
  upload.start()
}

function holdOnce(bytes) {
  if (!options.holdAfter || bytes < options.holdAfter) return
  options.holdAfter = 0
  say('held', bytes)
  fs.readSync(0, Buffer.alloc(1))
}

main()
