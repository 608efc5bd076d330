/* Browsers start no worker from a file on disk, so that the site's search would be dead without a web server. Here the
   worker's script runs in a hidden frame instead. The theme's search asks for the name IFrameWorker. */
(() => {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.srcdoc = "<!doctype html>"
      this.frame.addEventListener("load", () => this.begin(String(url)), { once: true })
      document.documentElement.append(this.frame)
    }

    begin(url) {
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = inside.document.createElement("script")
      script.src = url
      script.addEventListener("load", () => {
        const waiting = this.waiting
        this.waiting = null
        waiting.forEach(data => this.postMessage(data))
      })
      inside.document.head.append(script)
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }))
    }

    terminate() {
      this.frame.remove()
    }
  }

  if (location.protocol === "file:") window.Worker = window.IFrameWorker = IFrameWorker
})()
