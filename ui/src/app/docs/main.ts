/** The documentation at /api/docs, and at /api/v1/docs that of REST v1: Swagger UI, from this server alone. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

const XSRF_COOKIE = /(?:^|; )XSRF-TOKEN=([^;]*)/;

SwaggerUI({
  dom_id: "#docs",
  url: location.pathname.startsWith("/api/v1/") ? "/api/v1/openapi.json" : "/openapi.json",
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
