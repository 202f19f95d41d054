/** The documentation of the API at /api/docs: Swagger UI over /openapi.json, from this server alone. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

const XSRF_COOKIE = /(?:^|; )XSRF-TOKEN=([^;]*)/;

SwaggerUI({
  dom_id: "#docs",
  url: "/openapi.json",
  deepLinking: true,
  // By default it asks a site of its own whether the document is valid.
  validatorUrl: null,
  // "Try it out" makes calls as the signed-in person, so they need the anti-forgery token.
  requestInterceptor: (request) => {
    const token = XSRF_COOKIE.exec(document.cookie)?.[1];
    if (token !== undefined) request.headers["X-XSRF-TOKEN"] = decodeURIComponent(token);
    return request;
  },
});
